// Clients use URL, URLRequest, Data and JSONDecoder, so `import Errand` exports them. On Linux, two modules contain
// them, which clients should not need to know. They also use the JSON coders and `JSONValue`.
@_exported public import ErrandJSON
@_exported public import Foundation

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
