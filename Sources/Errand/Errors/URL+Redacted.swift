extension URL {
    /// This URL without user info and fragment, and with `***` for every query value.
    ///
    /// The names of the query and the path stay: a secret does not belong there. An item without `=` may be either, and
    /// is hidden. Of a URL without a host, which may hold anything, only the scheme is left.
    public var redacted: URL { redacted(revealingQuery: []) }

    /// This URL as ``redacted`` gives it, but with some query items left as they are.
    ///
    /// - Parameter names: The names of those items, without escapes.
    public func redacted(revealingQuery names: Set<String>) -> URL {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true), components.host != nil else {
            return URL(string: "\(scheme ?? ""):***") ?? URL(fileURLWithPath: "/unreadable-url")
        }
        components.user = nil
        components.password = nil
        components.fragment = nil
        components.percentEncodedQuery = components.percentEncodedQuery.map { query in
            query.split(separator: "&", omittingEmptySubsequences: false)
                .map { $0.isRevealed(by: names) ? String($0) : $0.hidden }
                .joined(separator: "&")
        }
        return components.url ?? URL(fileURLWithPath: "/unreadable-url")
    }
}

/// An item of an encoded query.
extension Substring {
    private var name: Substring { prefix { $0 != "=" } }

    fileprivate func isRevealed(by names: Set<String>) -> Bool {
        isEmpty || names.contains(name.removingPercentEncoding ?? String(name))
    }

    fileprivate var hidden: String { name.endIndex == endIndex ? "***" : "\(name)=***" }
}
