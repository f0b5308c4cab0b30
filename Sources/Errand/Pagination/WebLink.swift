extension HeaderFields {
    /// Returns the URL of the first link with a relation in the `Link` header fields (RFC 8288), without its fragment.
    ///
    /// ```swift
    /// let last = head.headers.link("last", relativeTo: head.url)
    /// ```
    ///
    /// Invalid links are skipped, as are links whose `anchor` refers to another resource.
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

/// A parser of the value of a `Link` header field (RFC 8288, appendix B.2). The value contains links separated by
/// commas, each a target in angle brackets with parameters.
///
/// An invalid link is skipped up to the next comma outside quotes. The parser reads each byte once.
struct LinkParser {
    private let bytes: [UInt8]
    private var position = 0

    private init(_ value: String) {
        bytes = Array(value.utf8)
    }

    static func links(in value: String) -> [WebLink] {
        var parser = LinkParser(value)
        var links: [WebLink] = []
        while parser.current != nil {
            parser.skipSpace()
            if let link = parser.link() { links.append(link) }
            parser.skip(to: [UInt8(ascii: ",")])
            parser.position += 1
        }
        return links
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Parses a target and its parameters, up to the comma after them.
    private mutating func link() -> WebLink? {
        guard let target = target() else { return nil }
        var link = WebLink(target: target)
        while true {
            skip(to: [UInt8(ascii: ";"), UInt8(ascii: ",")])
            guard current == UInt8(ascii: ";") else { return link }
            position += 1
            if let parameter = parameter() { link.parameters.append(parameter) }
        }
    }

    /// Parses a target in angle brackets. A second opening bracket starts the target again.
    private mutating func target() -> String? {
        guard current == UInt8(ascii: "<") else { return nil }
        var start = position + 1
        while let byte = current, byte != UInt8(ascii: ">") {
            position += 1
            if byte == UInt8(ascii: "<") { start = position }
        }
        guard current != nil else { return nil }
        defer { position += 1 }
        return Self.text(bytes[start..<position])
    }

    /// Parses a name, and a value after an equals sign if there is one (appendix B.3).
    private mutating func parameter() -> HeaderFields.Parameter? {
        skipSpace()
        let start = position
        while let byte = current, byte.isTokenCharacter { position += 1 }
        let name = Self.text(bytes[start..<position]).lowercased()
        skipSpace()
        guard !name.isEmpty else { return nil }
        guard current == UInt8(ascii: "=") else { return HeaderFields.Parameter(name: name, value: "") }
        position += 1
        skipSpace()
        let value = current == UInt8(ascii: "\"") ? quotedString() : unquotedValue()
        return HeaderFields.Parameter(name: name, value: value)
    }

    /// Parses a string in quotes and removes its backslashes. Without a closing quote, it extends to the end (appendix
    /// B.4).
    private mutating func quotedString() -> String {
        var text: [UInt8] = []
        position += 1
        while let byte = current, byte != UInt8(ascii: "\"") {
            position += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            if let escaped = current { text.append(escaped) }
            position += 1
        }
        position += 1
        return Self.text(text[...])
    }

    private mutating func unquotedValue() -> String {
        let start = position
        while let byte = current, byte != UInt8(ascii: ";"), byte != UInt8(ascii: ",") { position += 1 }
        var value = bytes[start..<position]
        while let last = value.last, Self.isSpace(last) { value.removeLast() }
        return Self.text(value)
    }

    /// Moves to one of these bytes outside quotes, or to the end.
    private mutating func skip(to ends: [UInt8]) {
        while let byte = current, !ends.contains(byte) {
            if byte == UInt8(ascii: "\"") { _ = quotedString() } else { position += 1 }
        }
    }

    private mutating func skipSpace() {
        while let byte = current, Self.isSpace(byte) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
