extension URL {
    /// This URL without user info and fragment, and with `***` for every query value.
    ///
    /// The names of the query and the path stay: a secret does not belong there. An item without `=` may be either, and
    /// is hidden. Of a URL without a host, which may hold anything, only the scheme is left.
    public var redacted: URL { redacted(revealingQuery: []) }

    /// This URL as ``redacted`` gives it, but with some query items left as they are.
    ///
    /// An item whose value holds a secret of another name, such as a URL with a token, is hidden all the same.
    ///
    /// - Parameter names: The names of those items, without escapes.
    public func redacted(revealingQuery names: Set<String>) -> URL {
        redacted { query in
            query.split(separator: "&", omittingEmptySubsequences: false)
                .map { $0.isRevealed(by: names) ? String($0) : $0.hidden }
                .joined(separator: "&")
        }
    }

    /// This URL without user info and fragment, and with another query.
    ///
    /// - Parameter query: Returns the query without its secrets. Both are percent-encoded.
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
        let isNamed = isEmpty || names.contains(name.removingPercentEncoding ?? String(name))
        return isNamed && !TextRedaction.standard.findsSecret(in: dropFirst(name.count).utf8)
    }

    fileprivate var hidden: String {
        let hasOnlyName = name.endIndex == endIndex || TextRedaction.standard.findsSecret(in: name.utf8)
        return hasOnlyName ? "***" : "\(name)=***"
    }
}
