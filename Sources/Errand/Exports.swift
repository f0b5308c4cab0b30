// An API client is written in terms of URL, URLRequest, Data and JSONDecoder, so `import Errand` brings them along:
// on Linux they are spread over two modules, and whoever writes a client should not need to know which.
@_exported public import Foundation

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
