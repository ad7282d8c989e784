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
