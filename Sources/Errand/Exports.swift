// Clients use URL, URLRequest, Data and JSONDecoder, so `import Errand` exports them. On Linux, two modules contain
// them, which clients should not need to know.
@_exported public import Foundation

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
