// The remedy for modules whose files import FoundationNetworking too, as the documentation gives it.
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
