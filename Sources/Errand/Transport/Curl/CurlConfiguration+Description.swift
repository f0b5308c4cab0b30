#if canImport(CCurl)
// Descriptions of configurations, without secrets. Values that contain a configuration also print these.

extension CurlConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The HTTP version, the proxy and the TLS settings, without secrets.
    public var description: String { "CurlConfiguration(version: \(version), proxy: \(proxy), tls: \(tls))" }
    /// Returns ``description``.
    public var debugDescription: String { description }
    /// A mirror with the description as its only child, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension CurlConfiguration.Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The address of the proxy, without the user and the password.
    public var description: String {
        switch self {
        case .environment: "environment"
        case .none: "none"
        case .server(let url, let user, _, _): "\(url.redacted.absoluteString)\(user == nil ? "" : " with a user")"
        }
    }

    /// Returns ``description``.
    public var debugDescription: String { description }
    /// A mirror with the description as its only child, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension TLSConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The minimum TLS version, the size of the authorities, the number of pinned keys and the client identity.
    public var description: String {
        let parts = [
            "\(minimumVersion) or later", additionalAuthorities.map { "\($0.count) bytes of authorities" },
            pinnedPublicKeys.isEmpty ? nil : "\(pinnedPublicKeys.count) pinned keys", identity?.description,
        ]
        return "TLSConfiguration(\(parts.compactMap(\.self).joined(separator: ", ")))"
    }

    /// Returns ``description``.
    public var debugDescription: String { description }
    /// A mirror with the description as its only child.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension TLSConfiguration.Identity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The locations of the certificate and the key, without their contents and the passphrase.
    public var description: String { "certificate \(certificate), key \(key)" }
    /// Returns ``description``.
    public var debugDescription: String { description }
    /// A mirror with the description as its only child, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension TLSConfiguration.Identity.PEM: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The path of the file, or the number of bytes in memory.
    public var description: String {
        switch self {
        case .file(let path): path
        case .data(let data): "of \(data.count) bytes"
        }
    }

    /// Returns ``description``.
    public var debugDescription: String { description }
    /// A mirror with the description as its only child, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension CurlTransport: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the type, without its configuration or its requests.
    public var description: String { "CurlTransport" }
    /// Returns ``description``.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` shows nothing of the current requests.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension NameService: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of name service, or its URL without secrets.
    public var description: String {
        switch self {
        case .system: "system"
        case .https(let url): url.redacted.absoluteString
        case .function: "function"
        }
    }

    /// Returns ``description``.
    public var debugDescription: String { description }
    /// A mirror with the description as its only child, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
#endif
