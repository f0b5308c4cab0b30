#if canImport(CCurl)
// How configurations are printed: without secrets, also as part of other values.

extension CurlConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The proxy and TLS, without secrets.
    public var description: String { "CurlConfiguration(version: \(version), proxy: \(proxy), tls: \(tls))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension CurlConfiguration.Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where the proxy is, without who the client is there.
    public var description: String {
        switch self {
        case .environment: "environment"
        case .none: "none"
        case .server(let url, let user, _, _): "\(url.redacted.absoluteString)\(user == nil ? "" : " with a user")"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension TLSConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many authorities and keys there are, and the client's certificate by the name of its file.
    public var description: String {
        let parts = [
            "\(minimumVersion) or later", additionalAuthorities.map { "\($0.count) bytes of authorities" },
            pinnedPublicKeys.isEmpty ? nil : "\(pinnedPublicKeys.count) pinned keys", identity?.description,
        ]
        return "TLSConfiguration(\(parts.compactMap(\.self).joined(separator: ", ")))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension TLSConfiguration.Identity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where the certificate and the key are, without what they are and what the key is encrypted with.
    public var description: String { "certificate \(certificate), key \(key)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension TLSConfiguration.Identity.PEM: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the file, or how many bytes there are in memory.
    public var description: String {
        switch self {
        case .file(let path): path
        case .data(let data): "of \(data.count) bytes"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension CurlTransport: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the type, and nothing of its configuration or its requests.
    public var description: String { "CurlTransport" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows nothing of the requests under way.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension NameService: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Who is asked, a URL without secrets.
    public var description: String {
        switch self {
        case .system: "system"
        case .https(let url): url.redacted.absoluteString
        case .function: "function"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
#endif
