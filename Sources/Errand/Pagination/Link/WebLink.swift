/// A link of a `Link` header field (RFC 8288, section 3).
///
/// ```swift
/// let next = head.headers.links(relativeTo: head.url).first { $0.relations.contains("next") }?.url
/// ```
public struct WebLink: Hashable, Sendable {
    /// A parameter of a link.
    public struct Parameter: Hashable, Sendable {
        /// The name in lowercase.
        public let name: String
        /// The value without quotes and escapes; empty if it is missing.
        public let value: String
    }

    /// The target as it was written, which may be relative.
    public let target: String
    /// The target as a URL without its fragment; `nil` if the target is not a valid URL.
    public let url: URL?
    /// The relations between the target and the response, in lowercase, such as `next`, `prev` or `last`. Only the
    /// first `rel` parameter counts.
    public let relations: [String]
    /// The parameters in order, including `rel`.
    public let parameters: [Parameter]
}

extension HeaderFields {
    /// Returns the links of the `Link` header fields, in order. Invalid links are skipped, as are links without a `rel`
    /// and those whose `anchor` refers to another resource.
    ///
    /// - Parameter base: The URL of the response, to which relative targets are resolved.
    public func links(relativeTo base: URL?) -> [WebLink] {
        self[values: "Link"].flatMap { LinkParser.links(in: $0) }.compactMap { link in
            let relations = link.value(of: "rel")?.split(whereSeparator: \.isASCIIWhitespace).map { $0.lowercased() }
            guard let relations, !relations.isEmpty else { return nil }
            if let anchor = link.value(of: "anchor") {
                guard let place = URL(linkTarget: anchor, relativeTo: base), place == base?.withoutFragment else {
                    return nil
                }
            }
            return WebLink(
                target: link.target, url: URL(linkTarget: link.target, relativeTo: base), relations: relations,
                parameters: link.parameters.map { WebLink.Parameter(name: $0.name, value: $0.value) })
        }
    }
}

extension URL {
    /// Resolves a target (RFC 3986, section 5) and removes its fragment. An empty target is the base itself.
    fileprivate init?(linkTarget target: String, relativeTo base: URL?) {
        if target.isEmpty || target.hasPrefix("#") {
            guard let base else { return nil }
            self = base.withoutFragment
            return
        }
        guard let url = URL(lenient: target, relativeTo: base) else { return nil }
        self = url.withoutFragment
    }

    /// This URL without its fragment.
    var withoutFragment: URL {
        guard fragment != nil, let end = absoluteString.firstIndex(of: "#") else { return absoluteURL }
        return URL(string: String(absoluteString[..<end])) ?? absoluteURL
    }
}

extension Character {
    fileprivate var isASCIIWhitespace: Bool { self == " " || self == "\t" }
}
