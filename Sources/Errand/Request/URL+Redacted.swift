extension URL {
    /// This URL without user info and fragment, and with `***` for every query value.
    ///
    /// The names of the query and the path stay: a secret does not belong there.
    public var redacted: URL {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return URL.unreadable }
        components.user = nil
        components.password = nil
        components.fragment = nil
        components.percentEncodedQuery = components.percentEncodedQuery.map { query in
            query.split(separator: "&", omittingEmptySubsequences: false)
                .map { pair in
                    let name = pair.prefix { $0 != "=" }
                    return name.endIndex == pair.endIndex ? String(pair) : "\(name)=***"
                }
                .joined(separator: "&")
        }
        return components.url ?? URL.unreadable
    }

    private static let unreadable = URL(fileURLWithPath: "/unreadable-url")
}
