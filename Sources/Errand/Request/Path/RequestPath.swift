/// Where a request goes, behind its base URL.
///
/// What is written in a literal is the path: its slashes part segments, what may not stand in a path is escaped, and an
/// escape such as `%2F` stays as it is. What is interpolated is one segment, or part of one, whatever it holds: a `/`,
/// `?`, `#` or `%` in it is escaped, and leads nowhere else.
///
/// ```swift
/// path = "/users"
/// path = "/users/\(id)/posts"
/// path = ["users", id, "posts"]
/// ```
///
/// A `?` or `#` in the literal, and a segment of dots anywhere (RFC 3986, section 5.2.4), are refused when the request is
/// built. So is an interpolated value that is empty, `.` or `..`: it would name another resource than the one that was
/// meant. Each fails with ``ErrandError/Code-swift.struct/invalidURL``, and nothing is sent.
///
/// A path that is in a variable already is wrapped, to say that its slashes count: `path = RequestPath(text)`.
public struct RequestPath: Hashable, Sendable {
    /// The path; what was interpolated is escaped in it.
    var text: String
    /// What was wrong with a segment, the first time.
    var fault: Fault?

    /// Why a value cannot be a segment.
    enum Fault: String {
        case empty = "a segment of `path` is empty"
        case dots = "a segment of `path` is . or .., which names another resource"
        case notFinite = "a segment of `path` is not a finite number"
    }

    /// A path that is in a variable, read as a literal is: its slashes part segments, and its escapes stay.
    ///
    /// - Parameter text: With or without a slash in front; `""` for the base URL itself.
    public init(_ text: String = "") {
        self.text = text
    }

    /// A path of these segments, each escaped and kept whole.
    public init(segments: [any PathSegmentConvertible]) {
        self.init()
        for segment in segments {
            text += "/"
            append(value: segment.pathSegment)
        }
    }

    /// A path of plain text, in which slashes part segments and nothing else means anything: the name of a file in a tree,
    /// the key of an object.
    ///
    /// ```swift
    /// path = "/files/\(RequestPath(escaping: name))"
    /// ```
    ///
    /// Unlike in a literal, an escape in it is text as any other: its `%` is escaped. Segments may be empty. A text that is
    /// empty is refused when the request is built, as a value is that is interpolated, and so is a segment of dots.
    public init(escaping text: String) {
        if text.isEmpty { fault = .empty }
        self.text = text.percentEncoded(allowing: .unreservedCharacters.union([UInt8(ascii: "/")]))
    }

    /// Whether this is the base URL itself.
    public var isEmpty: Bool { text.isEmpty && fault == nil }

    /// This path with another behind it, and one slash between them.
    ///
    /// ```swift
    /// user.appending("posts/\(id)")
    /// ```
    public func appending(_ other: RequestPath) -> RequestPath {
        if isEmpty { return other }
        if other.isEmpty { return self }
        var path = RequestPath(pieceOf: self)
        let rest = RequestPath(pieceOf: other)
        if !path.text.hasSuffix("/") { path.text += "/" }
        path.text += rest.text.hasPrefix("/") ? String(rest.text.dropFirst()) : rest.text
        path.fault = path.fault ?? rest.fault
        return path
    }

    /// This path with one more segment, escaped and kept whole.
    public func appending(segment: some PathSegmentConvertible) -> RequestPath {
        appending(RequestPath(segments: [segment]))
    }
}

extension RequestPath {
    /// A path that others can be put behind, since no `%` at its end waits for digits.
    init(pieceOf path: RequestPath) {
        self.init()
        append(piece: path)
    }

    /// Puts a path behind this as it is.
    mutating func append(piece: RequestPath) {
        append(literal: piece.text)
        fault = fault ?? piece.fault
    }

    /// Puts a piece of a literal behind this. Each is escaped by itself: a `%` at its end must not become an escape with
    /// what follows.
    mutating func append(literal: String) {
        text += literal.percentEncoded(allowing: .literalPieceCharacters, keepingEscapes: true)
    }

    /// Puts a value behind this, which stays within its segment.
    mutating func append(value: String) {
        if value.isEmpty { fault = fault ?? .empty }
        if value == "." || value == ".." { fault = fault ?? .dots }
        text += value.percentEncoded(allowing: .unreservedCharacters)
    }
}

extension Set<UInt8> {
    /// `?` and `#` stay, to be refused when the request is built.
    fileprivate static let literalPieceCharacters = pathCharacters.union("?#".utf8)
}

extension RequestPath: ExpressibleByArrayLiteral {
    /// A path of these segments, each escaped and kept whole.
    public init(arrayLiteral segments: any PathSegmentConvertible...) {
        self.init(segments: segments)
    }
}

extension RequestPath: CustomStringConvertible {
    /// The path as it is written in a URL, but for what a literal holds that may not stand there.
    public var description: String { text }
}
