/// A request that is about to be sent, as an ``ExchangeObserver`` sees it.
///
/// Its ``name`` and its ``attributes`` have the names of OpenTelemetry's conventions for HTTP, and contain no value of
/// the path, the query or a header field. They show the path of the base URL, and the template even if an interceptor
/// sends the request elsewhere. They are computed when they are read.
public struct ObservedExchange: Sendable {
    let boxedRequest: Boxed<TransportRequest>
    /// The number of times that the run has sent something before: for another attempt, or before a redirect.
    public let resendCount: Int
    /// This observer's observation of the exchange that ended with a redirect to this one; `nil` for the first request
    /// of an attempt.
    ///
    /// A redirect may be followed in another task, in which no task-local value is set. An observer that needs one,
    /// such as the parent of a span, keeps it in its observation.
    public let redirected: (any ExchangeObservation)?

    /// The request without the observers' fields, with all its secrets; see ``attributes`` for what may be exported.
    public var request: TransportRequest { boxedRequest.value }
    /// The ``TransportRequest/operation``: the type of the leaf or of the ``EndpointRequest``.
    public var operation: String? { boxedRequest.value.operation }
    /// The ``TransportRequest/template`` of the path; `nil` after a redirect.
    public var template: String? { redirected == nil ? boxedRequest.value.template : nil }
    /// The method and the template: `GET /users/{id}`. Without a template, the method; `HTTP` for an unknown one.
    public var name: String { [method ?? "HTTP", template].compactMap(\.self).joined(separator: " ") }

    /// The attributes of the span, which are known when it begins: `http.request.method`, `server.address`,
    /// `server.port` and `url.full`, and if they apply `http.request.method_original`, `http.request.resend_count` and
    /// `url.template`.
    ///
    /// In `url.full`, the template replaces the path. `REDACTED` replaces the path of a request without a template, and
    /// each query value.
    public var attributes: [String: ExchangeAttribute] {
        var attributes = labels.spanAttributes
        attributes["url.full"] = .text(fullURL)
        if method == nil { attributes["http.request.method_original"] = .text(sentMethod) }
        if resendCount > 0 { attributes["http.request.resend_count"] = .integer(resendCount) }
        return attributes
    }

    /// The attributes of metrics, of which there are few different values: `http.request.method`, `server.address`,
    /// `server.port`, `url.scheme`, and `url.template` if there is one.
    public var metricAttributes: [String: ExchangeAttribute] { labels.attributes }
    /// The ``metricAttributes``, in a form that is fast to compare.
    var labels: ExchangeLabels {
        ExchangeLabels(
            method: method ?? "_OTHER", address: host, port: .integer(port), scheme: scheme, template: template)
    }

    private var url: URL? { boxedRequest.value.urlRequest.url }
    private var scheme: String { url?.scheme?.lowercased() ?? "" }
    private var port: Int { url?.port ?? Origin.defaultPort(of: scheme) }
    /// The host with its escapes, in lowercase; an IPv6 address without brackets.
    private var host: String {
        let host = (url?.host(percentEncoded: true) ?? "").lowercased()
        return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }
    private var sentMethod: String { boxedRequest.value.urlRequest.httpMethod ?? "GET" }
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
        let authority =
            (host.contains(":") ? "[\(host)]" : host) + (port == Origin.defaultPort(of: scheme) ? "" : ":\(port)")
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
