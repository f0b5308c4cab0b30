extension URL {
    /// This URL without user info and fragment, and with `***` for every query value.
    ///
    /// The names of query items and the path are kept, because they must not contain secrets. An item without `=` may
    /// be a value, and is hidden. Of a URL without a host, which may contain anything, only the scheme is kept.
    public var redacted: URL { redacted(revealingQuery: []) }

    /// Returns this URL as ``redacted`` does, but with the values of some query items.
    ///
    /// - Parameter names: The names of these items, without escapes.
    public func redacted(revealingQuery names: Set<String>) -> URL {
        redacted { query in
            query.split(separator: "&", omittingEmptySubsequences: false)
                .map { $0.isRevealed(by: names) ? String($0) : $0.hidden }
                .joined(separator: "&")
        }
    }

    /// Returns this URL without user info and fragment, and with another query.
    ///
    /// - Parameter query: A closure that returns the query without its secrets. Both queries are percent-encoded.
    package func redacted(query: (String) -> String) -> URL {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true), components.host != nil else {
            return URL(string: "\(scheme ?? ""):***") ?? URL(fileURLWithPath: "/unreadable-url")
        }
        components.user = nil
        components.password = nil
        components.fragment = nil
        components.percentEncodedQuery = components.percentEncodedQuery.map(query)
        return components.url ?? URL(fileURLWithPath: "/unreadable-url")
    }
}

/// An item of an encoded query.
extension Substring {
    private var name: Substring { prefix { $0 != "=" } }

    fileprivate func isRevealed(by names: Set<String>) -> Bool {
        isEmpty || names.contains(name.removingPercentEncoding ?? String(name))
    }

    /// The item without its value. A name with an encoded `=` may be a query itself, and is hidden too.
    fileprivate var hidden: String {
        name.endIndex == endIndex || name.lowercased().contains("%3d") ? "***" : "\(name)=***"
    }
}
