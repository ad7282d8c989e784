// Copy this file into a module whose files import FoundationNetworking beside Nightjar. Both have a `URLSession`; the
// names below decide for Nightjar's, in the whole module. They are public so that public declarations may use them.

import Nightjar

public typealias URLSession = Nightjar.URLSession
public typealias URLSessionConfiguration = Nightjar.URLSessionConfiguration
public typealias URLSessionTask = Nightjar.URLSessionTask
public typealias URLSessionDataTask = Nightjar.URLSessionDataTask
public typealias URLSessionUploadTask = Nightjar.URLSessionUploadTask
public typealias URLSessionDownloadTask = Nightjar.URLSessionDownloadTask
public typealias URLSessionDelegate = Nightjar.URLSessionDelegate
public typealias URLSessionTaskDelegate = Nightjar.URLSessionTaskDelegate
public typealias URLSessionDataDelegate = Nightjar.URLSessionDataDelegate
public typealias URLSessionDownloadDelegate = Nightjar.URLSessionDownloadDelegate
public typealias URLSessionTaskMetrics = Nightjar.URLSessionTaskMetrics
public typealias URLSessionTaskTransactionMetrics = Nightjar.URLSessionTaskTransactionMetrics
public let NSURLSessionTransferSizeUnknown = Nightjar.NSURLSessionTransferSizeUnknown
public let NSURLAuthenticationMethodDefault = Nightjar.NSURLAuthenticationMethodDefault
public let NSURLAuthenticationMethodHTTPBasic = Nightjar.NSURLAuthenticationMethodHTTPBasic
public let NSURLAuthenticationMethodHTTPDigest = Nightjar.NSURLAuthenticationMethodHTTPDigest
public let NSURLAuthenticationMethodHTMLForm = Nightjar.NSURLAuthenticationMethodHTMLForm
public let NSURLAuthenticationMethodNTLM = Nightjar.NSURLAuthenticationMethodNTLM
public let NSURLAuthenticationMethodNegotiate = Nightjar.NSURLAuthenticationMethodNegotiate
public let NSURLAuthenticationMethodServerTrust = Nightjar.NSURLAuthenticationMethodServerTrust
public let NSURLAuthenticationMethodClientCertificate = Nightjar.NSURLAuthenticationMethodClientCertificate
public let NSURLProtectionSpaceHTTP = Nightjar.NSURLProtectionSpaceHTTP
public let NSURLProtectionSpaceHTTPS = Nightjar.NSURLProtectionSpaceHTTPS
public let NSURLProtectionSpaceFTP = Nightjar.NSURLProtectionSpaceFTP
public let NSURLProtectionSpaceHTTPProxy = Nightjar.NSURLProtectionSpaceHTTPProxy
public let NSURLProtectionSpaceHTTPSProxy = Nightjar.NSURLProtectionSpaceHTTPSProxy
public let NSURLProtectionSpaceFTPProxy = Nightjar.NSURLProtectionSpaceFTPProxy
public let NSURLProtectionSpaceSOCKSProxy = Nightjar.NSURLProtectionSpaceSOCKSProxy
