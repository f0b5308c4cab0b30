/// A link of a `Link` header field (RFC 8288, section 3).
///
/// ```swift
/// let next = head.headers.links(relativeTo: head.url).first { $0.relations.contains("next") }?.url
/// ```
public struct WebLink: Hashable, Sendable {
    /// A parameter of a link.
    public struct Parameter: Hashable, Sendable {
        /// The name, in small letters.
        public let name: String
        /// The value, without quotes and escapes; empty where there was none.
        public let value: String
    }

    /// The target as it was written, which may be relative.
    public let target: String
    /// The target as a URL without fragment; nil where it is none.
    public let url: URL?
    /// What the target is to the answer, in small letters: `next`, `prev`, `last`. Of several `rel` the first counts.
    public let relations: [String]
    /// The parameters, in order, `rel` among them.
    public let parameters: [Parameter]
}

extension HeaderFields {
    /// The links of the `Link` fields, in order; what cannot be read is passed over, and so are links without a `rel`, and
    /// those whose `anchor` says that they start somewhere else.
    ///
    /// - Parameter base: Where the answer came from: relative targets start there.
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
    /// A target resolved as RFC 3986, section 5, says, without its fragment; an empty one is the base itself.
    fileprivate init?(linkTarget target: String, relativeTo base: URL?) {
        if target.isEmpty || target.hasPrefix("#") {
            guard let base else { return nil }
            self = base.withoutFragment
            return
        }
        guard let url = URL(string: target, relativeTo: base)?.absoluteURL else { return nil }
        self = url.withoutFragment
    }

    /// The same document as a whole.
    var withoutFragment: URL {
        guard fragment != nil, let end = absoluteString.firstIndex(of: "#") else { return absoluteURL }
        return URL(string: String(absoluteString[..<end])) ?? absoluteURL
    }
}

extension Character {
    fileprivate var isASCIIWhitespace: Bool { self == " " || self == "\t" }
}
