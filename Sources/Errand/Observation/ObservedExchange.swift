/// A request that is about to be sent, as an ``ExchangeObserver`` sees it.
///
/// Its ``name`` and its ``attributes`` have the names of OpenTelemetry's conventions for HTTP, and contain no value of
/// the path, the query or a header field. They show the path of the base URL, and the template even if an interceptor
/// sends the request elsewhere. They are computed when they are read.
public struct ObservedExchange: Sendable {
    /// The request without the observers' fields, with all its secrets; see ``attributes`` for what may be exported.
    public let request: TransportRequest
    /// The number of times that the run has sent something before: for another attempt, or before a redirect.
    public let resendCount: Int
    /// This observer's observation of the exchange that ended with a redirect to this one; `nil` for the first request
    /// of an attempt.
    ///
    /// A redirect may be followed on a thread of the transport, in which no task-local value is set. An observer that
    /// needs one, such as the parent of a span, keeps it in its observation.
    public let redirected: (any ExchangeObservation)?

    /// The ``TransportRequest/operation``: the type of the leaf or of the ``EndpointRequest``.
    public var operation: String? { request.operation }
    /// The ``TransportRequest/template`` of the path; `nil` after a redirect.
    public var template: String? { redirected == nil ? request.template : nil }
    /// The method and the template: `GET /users/{id}`. Without a template, the method; `HTTP` for an unknown one.
    public var name: String { [method ?? "HTTP", template].compactMap(\.self).joined(separator: " ") }

    /// The attributes of the span, which are known when it begins: `http.request.method`, `server.address`,
    /// `server.port` and `url.full`, and if they apply `http.request.method_original`, `http.request.resend_count` and
    /// `url.template`.
    ///
    /// In `url.full`, the template replaces the path. `REDACTED` replaces the path of a request without a template, and
    /// each query value.
    public var attributes: [String: ExchangeAttribute] {
        var attributes = common
        attributes["url.full"] = .text(fullURL)
        if method == nil { attributes["http.request.method_original"] = .text(sentMethod) }
        if resendCount > 0 { attributes["http.request.resend_count"] = .integer(resendCount) }
        return attributes
    }

    /// The attributes of metrics, of which there are few different values: `http.request.method`, `server.address`,
    /// `server.port`, `url.scheme`, and `url.template` if there is one.
    public var metricAttributes: [String: ExchangeAttribute] {
        var attributes = common
        attributes["url.scheme"] = .text(origin?.scheme ?? "")
        return attributes
    }

    private var common: [String: ExchangeAttribute] {
        var attributes: [String: ExchangeAttribute] = [
            "http.request.method": .text(method ?? "_OTHER"), "server.address": .text(host),
            "server.port": .integer(origin?.port ?? 0),
        ]
        if let template { attributes["url.template"] = .text(template) }
        return attributes
    }

    private var url: URL? { request.urlRequest.url }
    private var origin: Origin? { request.urlRequest.origin }
    /// The host with its escapes, in lowercase; an IPv6 address without brackets.
    private var host: String {
        (url?.host(percentEncoded: true) ?? "").lowercased().trimmingCharacters(in: ["[", "]"])
    }
    private var sentMethod: String { request.urlRequest.httpMethod ?? "GET" }
    /// The method; `nil` for one that is not a known one.
    private var method: String? { Self.methods.contains(sentMethod) ? sentMethod : nil }

    /// The methods of RFC 9110 and RFC 5789, and QUERY. Another one may be any text.
    private static let methods: Set<String> = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
    ]

    /// The URL without user info, fragment, and values of path and query.
    private var fullURL: String {
        let items = url?.query(percentEncoded: true)?.split(separator: "&").map { $0.hidden(as: "REDACTED") }
        let query = items.map { "?" + $0.joined(separator: "&") }
        let scheme = origin?.scheme ?? ""
        let port = url?.port.flatMap { $0 == (scheme == "http" ? 80 : 443) ? nil : ":\($0)" }
        let authority = (host.contains(":") ? "[\(host)]" : host) + (port ?? "")
        return "\(scheme)://\(authority)\(template ?? "/REDACTED")\(query ?? "")"
    }
}

extension ObservedExchange: Confidential {
    /// The ``name``.
    public var description: String { name }
}

/// A value of an attribute.
public enum ExchangeAttribute: Hashable, Sendable, CustomStringConvertible {
    /// A text.
    case text(String)
    /// A whole number.
    case integer(Int)

    /// The value as text.
    public var description: String {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        }
    }
}
