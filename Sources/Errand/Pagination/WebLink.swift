extension HeaderFields {
    /// Returns the URL of the first link with a relation in the `Link` header fields (RFC 8288), without its fragment.
    ///
    /// ```swift
    /// let last = head.headers.link("last", relativeTo: head.url)
    /// ```
    ///
    /// Links with invalid syntax are skipped, as are links whose `anchor` refers to another resource.
    ///
    /// - Parameters:
    ///   - relation: The relation between the link and the response, such as `next`, `prev` or `last`. Case is ignored.
    ///   - base: The URL of the response, to which relative links are resolved.
    /// - Returns: The URL; `nil` if no link has the relation, or if the target of the link is not a valid URL.
    public func link(_ relation: String, relativeTo base: URL?) -> URL? {
        webLink(relation.lowercased(), relativeTo: base)?.url(relativeTo: base)
    }

    /// Returns the first link with a relation, which is in lowercase.
    func webLink(_ relation: String, relativeTo base: URL?) -> WebLink? {
        webLinks(relativeTo: base).first { $0.relations.contains(relation) }
    }

    /// Returns the links of the `Link` header fields, in order. Those whose `anchor` refers to another resource are
    /// skipped.
    func webLinks(relativeTo base: URL?) -> [WebLink] {
        self[values: "Link"].flatMap(LinkParser.links).filter { link in
            guard let anchor = link.value(of: "anchor") else { return true }
            return URL(linkTarget: anchor, relativeTo: base).map { $0 == base?.withoutFragment } ?? false
        }
    }
}

/// A link of a `Link` header field (RFC 8288, section 3).
struct WebLink {
    /// The target as it was written, which may be relative.
    let target: String
    /// The parameters in order and with names in lowercase. A missing value is empty.
    var parameters: [HeaderFields.Parameter] = []

    /// The relations between the link and the response, in lowercase. Only the first `rel` parameter counts.
    var relations: [String] {
        value(of: "rel")?.split { $0 == " " || $0 == "\t" }.map { $0.lowercased() } ?? []
    }

    /// Returns the target as a URL without its fragment; `nil` if it is not a valid URL.
    func url(relativeTo base: URL?) -> URL? { URL(linkTarget: target, relativeTo: base) }

    /// Returns the value of the first parameter with the given name.
    func value(of name: String) -> String? { parameters.first { $0.name == name }?.value }
}

extension URL {
    /// Resolves a target (RFC 3986, section 5) and removes its fragment. An empty target, or a fragment alone,
    /// is the base itself.
    init?(linkTarget target: String, relativeTo base: URL?) {
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

/// A parser of the value of a `Link` header field (RFC 8288, appendix B.2). The value contains links separated by
/// commas, each a target in angle brackets with parameters.
///
/// An invalid link is skipped up to the next comma outside quotes. The parser does not backtrack.
struct LinkParser {
    private var reader: ByteReader<ArraySlice<UInt8>>

    static func links(in value: String) -> [WebLink] {
        var parser = LinkParser(reader: ByteReader(Array(value.utf8)[...]))
        var links: [WebLink] = []
        while !parser.reader.isAtEnd {
            parser.reader.skipBlanks()
            if let link = parser.link() { links.append(link) }
            parser.skip(to: ",")
            parser.reader.take()
        }
        return links
    }

    /// Parses a target and its parameters, up to the comma after them.
    private mutating func link() -> WebLink? {
        guard let target = target() else { return nil }
        var link = WebLink(target: target)
        while true {
            skip(to: ";,")
            guard reader.skip(";") else { return link }
            if let parameter = parameter() { link.parameters.append(parameter) }
        }
    }

    /// Parses a target in angle brackets. A second opening bracket starts the target again.
    private mutating func target() -> String? {
        guard reader.skip("<") else { return nil }
        let text = reader.take { $0 != UInt8(ascii: ">") }
        guard reader.skip(">") else { return nil }
        let start = text.lastIndex(of: UInt8(ascii: "<")).map { $0 + 1 } ?? text.startIndex
        return String(decoding: text[start...], as: UTF8.self)
    }

    /// Parses a name, and a value after an equals sign if there is one (appendix B.3).
    private mutating func parameter() -> HeaderFields.Parameter? {
        reader.skipBlanks()
        guard let name = reader.token()?.asciiLowercased else { return nil }
        reader.skipBlanks()
        guard reader.skip("=") else { return HeaderFields.Parameter(name: name, value: "") }
        reader.skipBlanks()
        if let value = reader.quotedString() { return HeaderFields.Parameter(name: name, value: value) }
        let value = reader.take { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }.trimmingBlanks
        return HeaderFields.Parameter(name: name, value: String(decoding: value, as: UTF8.self))
    }

    /// Moves to one of these characters outside quotes, or to the end.
    private mutating func skip(to ends: String) {
        while let byte = reader.next, !ends.utf8.contains(byte) {
            if reader.quotedString() == nil { reader.take() }
        }
    }
}
