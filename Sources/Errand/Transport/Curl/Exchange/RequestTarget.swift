#if canImport(CCurl)
extension String {
    /// The path and the query of this URL, in the form in which libcurl sends them: without dot segments (RFC 3986,
    /// section 5.2.4).
    var requestTarget: String {
        guard let scheme = range(of: "://") else { return "/" }
        let rest = self[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        let path = rest.prefix { $0 != "?" }
        return (path.isEmpty ? "/" : path.withoutDotSegments) + rest.dropFirst(path.count)
    }

    /// This URL without its user and password.
    var withoutUserInformation: String {
        guard let scheme = range(of: "://") else { return self }
        let rest = self[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let at = authority.lastIndex(of: "@") else { return self }
        return String(self[..<scheme.upperBound] + rest[rest.index(after: at)...])
    }
}

extension Substring {
    fileprivate var withoutDotSegments: String {
        guard contains("/.") else { return String(self) }
        var kept: [Substring] = []
        let segments = dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            if segment != ".", segment != ".." {
                kept.append(segment)
            } else {
                if segment == ".." { _ = kept.popLast() }
                if index == segments.count - 1 { kept.append("") }
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
#endif
