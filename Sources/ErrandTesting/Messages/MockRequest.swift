public import Errand

/// A request that a `MockServer` received.
public struct MockRequest: Sendable {
    /// The method.
    public let method: RequestMethod
    /// The request target, unchanged: usually the percent-encoded path and query.
    public let target: String
    /// The HTTP version, `"HTTP/1.1"` or `"HTTP/1.0"`.
    public let version: String
    /// The header fields, in order and including repeated ones.
    public let headers: HeaderFields
    /// The bytes of the head, unchanged, from the request line to the empty line.
    public let rawHead: Data
    /// The body without its chunked coding; empty if there is none.
    public package(set) var body = Data()
    /// The trailer fields after a chunked body.
    public package(set) var trailers = HeaderFields()
    /// The values of the route's `:name` segments, percent-decoded, by name; the match of a trailing `*` is under
    /// `"*"`.
    public package(set) var parameters: [String: String] = [:]
    /// Whether the request was read completely; `false` if a `MockUploadFault` ended the reading.
    public package(set) var isComplete = true
    /// The TLS parameters of the connection; `nil` without TLS.
    public package(set) var tls: TLS?
    /// The number of the connection, from 1. Requests on the same connection have the same number.
    public package(set) var connection = 0

    /// The path of the target, percent-decoded.
    public var path: String {
        let path = String(encodedPath)
        return path.removingPercentEncoding ?? path
    }

    /// The query items of the target, percent-decoded, in order and including repeated ones. A plus sign is not
    /// decoded.
    public var queryItems: [URLQueryItem] {
        guard let mark = target.firstIndex(of: "?") else { return [] }
        return URLComponents(lenient: String(target[mark...]))?.queryItems ?? []
    }

    /// The fields of a body of the type `application/x-www-form-urlencoded`, decoded, in order and including repeated
    /// ones; empty for a body of another type. A field without `=` has an empty value.
    public var formFields: [URLQueryItem] {
        guard headers.contentType?.essence == "application/x-www-form-urlencoded" else { return [] }
        return text.formItems.map { URLQueryItem(name: $0.name, value: $0.value) }
    }

    /// The body as UTF-8, with malformed bytes replaced by U+FFFD.
    public var text: String {
        String(decoding: body, as: UTF8.self)
    }

    /// The path of the target, percent-encoded. The target may also be an absolute URL, as for proxies.
    package var encodedPath: Substring {
        let resource = target.prefix { $0 != "?" }
        guard let scheme = resource.range(of: "://") else { return resource }
        return resource[scheme.upperBound...].drop { $0 != "/" }
    }
}
