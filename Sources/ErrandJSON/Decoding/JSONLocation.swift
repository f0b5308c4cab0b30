/// A place in a JSON document.
///
/// A `DecodingError` of ``FastJSONDecoder`` has it as ``Swift/DecodingError/jsonLocation``.
public struct JSONLocation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes before this place. In a document in UTF-16 or UTF-32, the bytes of its UTF-8 form are
    /// counted.
    public let byteOffset: Int
    /// The line, from 1.
    public let line: Int
    /// The number of bytes before this place in its line, plus 1.
    public let column: Int

    /// The kind of value there; `nil` if the error is about something else, such as a key or the document's syntax.
    let found: String?
    /// Whether the error's text comes from the decoder, so that it quotes no value of the document.
    let hasDecodersText: Bool

    init(_ offset: Int, in document: UnsafeBufferPointer<UInt8>, found: String?, hasDecodersText: Bool = true) {
        self.found = found
        self.hasDecodersText = hasDecodersText
        var (line, start) = (1, 0)
        for index in 0..<offset where document[index] == UInt8(ascii: "\n") { (line, start) = (line + 1, index + 1) }
        byteOffset = offset
        self.line = line
        column = offset - start + 1
    }

    /// Line and column, such as `line 3, column 14`.
    public var description: String { "line \(line), column \(column)" }
}

/// The offset of a value that could not be decoded.
///
/// A type may catch many errors while it is decoded. So the line is counted only for the one that ends the decoding.
struct JSONOffset: Error {
    /// The word for the found value if the object has no member for a superclass.
    static let noMember = "no member"

    let bytes: Int
    /// The kind of the value; `nil` for an error about a key.
    var found: String?
    /// Whether the error's text comes from the decoder. A type's own text can quote the value.
    var hasDecodersText = true
    /// The document. A type can keep an error or a container, and use it while another document is decoded.
    let document: Document

    /// The identity of a document. An error that outlives its document retains the identity, so that no other document
    /// gets the same one.
    final class Document: Sendable {}
}

extension DecodingError {
    /// Returns this error with line and column in place of an offset. An offset in another document is removed.
    func located(in text: UnsafeBufferPointer<UInt8>, of document: JSONOffset.Document) -> DecodingError {
        replacingContext { context in
            guard let offset = context.underlyingError as? JSONOffset else { return context }
            guard offset.document === document else {
                return Context(codingPath: context.codingPath, debugDescription: context.debugDescription)
            }
            let location = JSONLocation(
                offset.bytes, in: text, found: offset.found, hasDecodersText: offset.hasDecodersText)
            return Context(
                codingPath: context.codingPath, debugDescription: "\(context.debugDescription), at \(location)",
                underlyingError: location)
        }
    }

    func replacingContext(_ replace: (Context) -> Context) -> DecodingError {
        switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, replace(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, replace(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, replace(context))
        case .dataCorrupted(let context): .dataCorrupted(replace(context))
        @unknown default: self
        }
    }

    /// Where in the document decoding failed; `nil` for an error of another decoder.
    ///
    /// For a missing key, this is the start of the object. For an error that a type throws itself, it is the start of
    /// the type's value. An error that a type catches in its `init(from:)` does not have it yet.
    public var jsonLocation: JSONLocation? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context.underlyingError as? JSONLocation
        @unknown default:
            nil
        }
    }
}
