import Errand

/// The signed text of a request: a line for each component, and the parameters of the signature (RFC 9421, section
/// 2.5).
struct SignatureBase {
    private let request: TransportRequest
    private let url: URLComponents
    private let components: [MessageSignature.Component]

    /// - Throws: ``/Errand/ErrandError`` with `invalidURL` for a request without a URL.
    init(_ request: TransportRequest, _ components: [MessageSignature.Component]) throws(ErrandError) {
        guard let url = request.urlRequest.url.flatMap({ URLComponents(url: $0, resolvingAgainstBaseURL: true) }) else {
            throw ErrandError(.invalidURL, reason: "a request without a URL cannot be signed")
        }
        self.request = request
        self.url = url
        self.components = components
    }

    /// Returns the signed text.
    ///
    /// - Parameter parameters: The value of `@signature-params`.
    /// - Throws: ``/Errand/ErrandError`` with `invalidCredential` for a component that is missing or not unique in the
    ///   request; the errors of ``identifiers(of:)``.
    func text(parameters: String) throws(ErrandError) -> String {
        var lines = ""
        for (component, identifier) in zip(components, try Self.identifiers(of: components)) {
            lines += "\(identifier): \(try value(of: component))\n"
        }
        return lines + "\"@signature-params\": \(parameters)"
    }

    /// Returns the identifiers of the components in a signature, such as `"@method"` or `"@query-param";name="page"`.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `invalidCredential` for an invalid name, and for a repeated component.
    static func identifiers(of components: [MessageSignature.Component]) throws(ErrandError) -> [String] {
        var identifiers: [String] = []
        for component in components {
            guard component.name.hasPrefix("@") || component.name.isHTTPToken else {
                throw ErrandError(.invalidCredential, reason: "a covered header field has a name that is not valid")
            }
            let item = component.queryName.map { ";name=\"\($0.signedQueryText)\"" } ?? ""
            identifiers.append("\"\(component.name)\"\(item)")
        }
        guard Set(identifiers).count == identifiers.count else {
            throw ErrandError(.invalidCredential, reason: "a signature covers a component twice")
        }
        return identifiers
    }

    private func value(of component: MessageSignature.Component) throws(ErrandError) -> String {
        switch component {
        case .method: return request.urlRequest.httpMethod ?? "GET"
        case .targetURI: return targetURI
        case .authority: return url.hostField?.lowercased() ?? ""
        case .scheme: return url.scheme?.lowercased() ?? ""
        case .requestTarget: return path + (url.percentEncodedQuery.map { "?\($0)" } ?? "")
        case .path: return path
        case .query: return "?" + (url.percentEncodedQuery ?? "")
        default: break
        }
        if let name = component.queryName { return try queryItem(name) }
        guard let value = field(component.name) else {
            throw ErrandError(
                .invalidCredential, reason: "the request has no \(component.name), which the signature must cover")
        }
        return value.trimmingCharacters(in: .whitespaces)
    }

    private var path: String { url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath }

    /// The URL without its fragment, the zone of its host and its user information, which are not sent.
    private var targetURI: String {
        var url = url
        (url.fragment, url.user, url.password) = (nil, nil, nil)
        url.percentEncodedHost = url.percentEncodedHost?.withoutZone
        url.percentEncodedPath = path
        return url.string ?? ""
    }

    private func queryItem(_ name: String) throws(ErrandError) -> String {
        let values = (url.percentEncodedQuery ?? "").formItems.filter { $0.name == name }.map(\.value)
        guard values.count == 1 else {
            throw ErrandError(
                .invalidCredential,
                reason: "the query item \"\(name)\" occurs \(values.count) times; a signed item must occur once")
        }
        return values[0].signedQueryText
    }

    /// Returns the value of a header field; `nil` if it will not be sent, or if only the transport knows its value.
    private func field(_ name: String) -> String? {
        if let value = request.urlRequest.value(forHTTPHeaderField: name) { return value }
        // The transport sets this field from the size of the body, unless that is not known.
        guard name == "content-length" else { return nil }
        if let bodyStream = request.bodyStream { return bodyStream.count.map(String.init) }
        let count = request.urlRequest.httpBody?.count ?? (request.urlRequest.expectsBody ? 0 : nil)
        return count.map(String.init)
    }
}

extension String {
    private static let unescapedInQueries = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._")

    /// A name or a value of a query as in section 2.2.8: percent-encoded as in a form, except for spaces, which become
    /// `%20`.
    fileprivate var signedQueryText: String {
        addingPercentEncoding(withAllowedCharacters: Self.unescapedInQueries) ?? self
    }

    /// Whether this is a valid key in a structured field (RFC 9651, section 3.1.2).
    var isStructuredKey: Bool {
        // 0x61 to 0x7A are the lowercase letters.
        guard let first = utf8.first, first == UInt8(ascii: "*") || 0x61...0x7A ~= first else { return false }
        return utf8.allSatisfy { 0x61...0x7A ~= $0 || $0.isDigit || "_-.*".utf8.contains($0) }
    }

    /// Returns this text as a string in a structured field (RFC 9651, section 3.3.3).
    ///
    /// - Throws: ``/Errand/ErrandError`` with `invalidCredential` for a character that such a string does not allow.
    func structuredString() throws(ErrandError) -> String {
        guard utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw ErrandError(
                .invalidCredential, reason: "a parameter of a signature has a character that is not printable ASCII")
        }
        return quoted
    }
}
