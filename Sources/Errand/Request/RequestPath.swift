/// The path of a request, relative to its base URL.
///
/// In a literal, slashes separate segments, characters that a path does not allow are escaped, and an escape such as
/// `%2F` is kept. An interpolated value, except a `RequestPath`, is one segment, or a part of one. A `/`, `?`, `#` or
/// `%` in it is escaped, so that it cannot change the structure of the path.
///
/// ```swift
/// path = "/users"
/// path = "/users/\(id)/posts"
/// path = ["users", id, "posts"]
/// ```
///
/// A `?` or `#` in the literal, and a segment `.` or `..` anywhere (RFC 3986, section 5.2.4), are rejected when the
/// request is built. So is an interpolated value that is empty, `.` or `..`, because it would name another resource
/// than intended. Each fails with ``ErrandError/Code-swift.struct/invalidURL``, and nothing is sent.
///
/// To use the text of a variable as a path whose slashes separate segments, convert it: `path = RequestPath(text)`.
public struct RequestPath: Sendable {
    /// The path, in which interpolated values are escaped.
    var text: String
    /// The fault of the first invalid segment; `nil` without one. ``RequestURL`` checks the segments of a literal.
    var fault: Fault?
    /// The places of the values in ``text``; `nil` if the text is not from a literal, so that any part may be a value.
    private var values: [Value]? = []

    /// The place of a value, in UTF-8.
    struct Value {
        var range: Range<Int>
        /// The name in the template.
        let name: StaticString
    }

    /// The reason why a value cannot be a segment.
    enum Fault: String {
        case empty = "a segment of `path` is empty"
        case dots = "a segment of `path` is . or .., which names another resource"
        case notFinite = "a segment of `path` is not a finite number"
    }

    /// Creates a path from a text, with the rules of a literal: slashes separate segments, and escapes are kept.
    ///
    /// - Parameter text: The path, with or without a leading slash; `""` for the base URL itself.
    public init(_ text: String = "") {
        self.text = text
        if !text.isEmpty { values = nil }
    }

    /// Creates a path from segments, each of which is escaped and stays one segment.
    public init(segments: [any PathSegmentConvertible]) {
        self.init()
        for segment in segments {
            text += "/"
            append(value: segment.pathSegment)
        }
        values = nil
    }

    /// Creates a path from plain text, in which only slashes have a meaning, such as a file name in a tree or an object
    /// key.
    ///
    /// ```swift
    /// path = "/files/\(RequestPath(escaping: name))"
    /// ```
    ///
    /// In contrast to a literal, the `%` of an escape is plain text and is escaped. Segments may be empty. An empty
    /// text and a segment `.` or `..` are rejected when the request is built, as for an interpolated value.
    public init(escaping text: String) {
        if text.isEmpty { fault = .empty }
        self.text = text.percentEncoded(allowing: .unreservedCharacters.union([UInt8(ascii: "/")]))
        values = nil
    }

    /// Whether the path is empty and requests the base URL itself.
    public var isEmpty: Bool { text.isEmpty && fault == nil }

    /// Returns this path with another appended, and a slash between them.
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
        let start = path.text.utf8.count
        let dropped = rest.text.hasPrefix("/") ? 1 : 0
        path.values? += (rest.values ?? []).map { $0.moved(by: start - dropped, from: start) }
        if values == nil { path.values = nil }
        path.text += rest.text.dropFirst(dropped)
        path.fault = path.fault ?? rest.fault
        return path
    }

    /// Returns this path with one more segment, which is escaped and stays one segment.
    public func appending(segment: some PathSegmentConvertible) -> RequestPath {
        appending(RequestPath(segments: [segment]))
    }
}

extension RequestPath {
    /// Creates a path to which others can be appended: a `%` at its end cannot form an escape with later digits.
    init(pieceOf path: RequestPath) {
        self.init()
        append(piece: path)
    }

    /// Appends a path, whose places of values are kept. Of a path without them, the whole text is a value.
    mutating func append(piece: RequestPath) {
        guard let values = piece.values else { return append(value: piece, as: "") }
        var end = piece.text.startIndex
        for value in values {
            append(literal: String(piece.text[end..<piece.index(value.range.lowerBound)]))
            end = piece.index(value.range.upperBound)
            append(piece.text[piece.index(value.range.lowerBound)..<end], as: value.name)
        }
        append(literal: String(piece.text[end...]))
        fault = fault ?? piece.fault
    }

    /// Appends a path that is one value of the template.
    mutating func append(value piece: RequestPath, as name: StaticString) {
        let start = text.utf8.count
        append(literal: piece.text)
        values?.append(Value(range: start..<text.utf8.count, name: name))
        fault = fault ?? piece.fault
    }

    /// Appends a piece of a literal. Each piece is escaped separately, because a `%` at its end must not form an escape
    /// with the text after it.
    mutating func append(literal: String) {
        text += literal.percentEncoded(allowing: .literalPieceCharacters, keepingEscapes: true)
    }

    /// Appends a value, which stays within its segment.
    mutating func append(value: String, as name: StaticString = "") {
        if value.isEmpty { fault = fault ?? .empty }
        if value == "." || value == ".." { fault = fault ?? .dots }
        append(value.percentEncoded(allowing: .unreservedCharacters), as: name)
    }

    /// Appends a value that is escaped already.
    private mutating func append(_ value: some StringProtocol, as name: StaticString) {
        let start = text.utf8.count
        text += value
        values?.append(Value(range: start..<text.utf8.count, name: name))
    }

    private func index(_ offset: Int) -> String.Index { text.utf8.index(text.startIndex, offsetBy: offset) }

    /// The literal parts of the path, with the names of the values between them: `/users/{id}/posts`. It contains no
    /// value. `nil` for a path from a text or an array.
    package var template: String? {
        guard let values else { return nil }
        if values.isEmpty { return RequestPath(pieceOf: self).text }
        var template = ""
        var end = text.startIndex
        for value in values {
            template += text[end..<index(value.range.lowerBound)] + "{\(value.name)}"
            end = index(value.range.upperBound)
        }
        return template + text[end...]
    }
}

extension RequestPath.Value {
    /// Returns the value at another place, which begins at `start` or later.
    fileprivate func moved(by offset: Int, from start: Int) -> Self {
        Self(range: max(range.lowerBound + offset, start)..<max(range.upperBound + offset, start), name: name)
    }
}

// Paths with the same text are equal, whichever parts of it are values.
extension RequestPath: Hashable {
    /// Compares the texts.
    public static func == (left: RequestPath, right: RequestPath) -> Bool {
        left.text == right.text && left.fault == right.fault
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(fault)
    }
}

extension Set<UInt8> {
    /// The characters of a literal that are not escaped. They include `?` and `#`, which are rejected when the request
    /// is built.
    fileprivate static let literalPieceCharacters = pathCharacters.union("?#".utf8)
}

extension RequestPath: ExpressibleByArrayLiteral {
    /// Creates a path from segments, each of which is escaped and stays one segment.
    public init(arrayLiteral segments: any PathSegmentConvertible...) {
        self.init(segments: segments)
    }
}

extension RequestPath: CustomStringConvertible {
    /// The path as in a URL, except for characters of a literal that a URL does not allow.
    public var description: String { text }
}

extension RequestPath: ExpressibleByStringInterpolation {
    /// Creates a path from a literal.
    public init(stringLiteral value: StaticString) {
        self.init()
        text = value.description
    }

    /// Creates a path from a literal with interpolated values.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.path
    }

    /// The builder of a path from a literal with interpolated values. Each value stays within its segment.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate(set) var path = RequestPath()

        /// Creates an empty path.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends the text of the literal.
        public mutating func appendLiteral(_ literal: StaticString) {
            path.append(literal: literal.description)
        }

        /// Appends the text of a piece that is a value as a whole, with the rules of a literal.
        package mutating func append(pieceText text: String) {
            path.append(literal: text)
        }

        /// Appends a text, an integer, a UUID, or a custom segment.
        public mutating func appendInterpolation(_ value: some PathSegmentConvertible, as name: StaticString = "") {
            path.append(value: value.pathSegment, as: name)
        }

        /// Appends another path, whose slashes separate segments.
        public mutating func appendInterpolation(_ path: RequestPath) {
            self.path.append(piece: path)
        }

        /// Appends a path, which is one value of the template.
        public mutating func appendInterpolation(_ path: RequestPath, as name: StaticString) {
            self.path.append(value: path, as: name)
        }

        // The disfavored overloads are only for types that are not a `PathSegmentConvertible`. Otherwise, a call for a
        // type that is one would be ambiguous.

        /// Appends the description of a value that is not a ``PathSegmentConvertible``.
        @_disfavoredOverload
        public mutating func appendInterpolation(_ value: some LosslessStringConvertible, as name: StaticString = "") {
            path.append(value: value.description, as: name)
        }

        /// Appends a number in decimal digits, without an exponent. A number that is not finite is rejected.
        @_disfavoredOverload
        public mutating func appendInterpolation(
            _ value: some BinaryFloatingPoint & LosslessStringConvertible, as name: StaticString = ""
        ) {
            guard let digits = PlainDecimal(value) else {
                path.fault = path.fault ?? .notFinite
                return
            }
            path.append(value: digits.text, as: name)
        }

        /// Appends the raw value of a value.
        @_disfavoredOverload
        public mutating func appendInterpolation<Value: RawRepresentable>(
            _ value: Value, as name: StaticString = ""
        ) where Value.RawValue: LosslessStringConvertible {
            path.append(value: value.rawValue.description, as: name)
        }

        /// Appends the raw value of a value, which takes precedence over its description.
        @_disfavoredOverload
        public mutating func appendInterpolation<Value: RawRepresentable & LosslessStringConvertible>(
            _ value: Value, as name: StaticString = ""
        ) where Value.RawValue: LosslessStringConvertible {
            path.append(value: value.rawValue.description, as: name)
        }
    }
}

/// A value that can be one segment of a ``RequestPath``, also in an array literal: texts, integers, UUIDs and custom
/// types.
///
/// A type with a raw value needs only the conformance. Other types implement ``pathSegment``:
///
/// ```swift
/// enum Collection: String, PathSegmentConvertible { case users, posts }
///
/// struct Country: PathSegmentConvertible {
///     var code: String
///     var pathSegment: String { code.lowercased() }
/// }
/// ```
public protocol PathSegmentConvertible {
    /// The segment as plain text, without escapes. The path escapes special characters, so that the text stays one
    /// segment.
    var pathSegment: String { get }
}

extension PathSegmentConvertible where Self: RawRepresentable, RawValue: PathSegmentConvertible {
    /// The segment of the raw value.
    public var pathSegment: String { rawValue.pathSegment }
}

extension PathSegmentConvertible where Self: LosslessStringConvertible {
    /// The description.
    public var pathSegment: String { description }
}

extension PathSegmentConvertible
where Self: RawRepresentable & LosslessStringConvertible, RawValue: PathSegmentConvertible {
    /// The segment of the raw value, which takes precedence over the description.
    public var pathSegment: String { rawValue.pathSegment }
}

extension String: PathSegmentConvertible {}
extension Substring: PathSegmentConvertible {}
extension Int: PathSegmentConvertible {}
extension Int8: PathSegmentConvertible {}
extension Int16: PathSegmentConvertible {}
extension Int32: PathSegmentConvertible {}
extension Int64: PathSegmentConvertible {}
extension Int128: PathSegmentConvertible {}
extension UInt: PathSegmentConvertible {}
extension UInt8: PathSegmentConvertible {}
extension UInt16: PathSegmentConvertible {}
extension UInt32: PathSegmentConvertible {}
extension UInt64: PathSegmentConvertible {}
extension UInt128: PathSegmentConvertible {}

extension UUID: PathSegmentConvertible {
    /// The text of `uuidString`, in uppercase.
    public var pathSegment: String { uuidString }
}

/// A number in decimal digits without an exponent, with the fewest digits that parse back to the same number.
///
/// `1e+20` becomes `100000000000000000000`, because some servers do not parse exponents, and some read a `+` as a
/// space. A whole number has no fraction: 2.0 becomes `2`.
struct PlainDecimal {
    let text: String

    /// Creates the digits; `nil` for a number that is not finite.
    init?(_ value: some BinaryFloatingPoint & LosslessStringConvertible) {
        guard value.isFinite else { return nil }
        // The description has the fewest digits, but an exponent for very large and very small numbers.
        let parts = value.description.split(separator: "e", maxSplits: 1)
        guard let mantissa = parts.first, let exponent = parts.count == 1 ? 0 : Int(parts[1]) else { return nil }
        let halves = mantissa.drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        guard let whole = halves.first else { return nil }
        var fraction = halves.count == 2 ? String(halves[1]) : ""
        while fraction.last == "0" { fraction.removeLast() }
        let sign = mantissa.hasPrefix("-") ? "-" : ""
        text = sign + Self.shifted(whole: String(whole), fraction: fraction, by: exponent)
    }

    /// Moves the decimal point of `whole.fraction` to the right, or to the left if `places` is negative.
    private static func shifted(whole: String, fraction: String, by places: Int) -> String {
        let digits = whole + fraction
        let point = whole.count + places
        if point <= 0 { return "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count { return digits + String(repeating: "0", count: point - digits.count) }
        return digits.prefix(point) + "." + digits.dropFirst(point)
    }
}
