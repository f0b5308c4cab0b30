/// The failure of a decoder: the error that it or a type has thrown, and where and why it failed.
package struct DecodingFailure: Error, CustomStringConvertible {
    /// The error as it was thrown.
    package let cause: any Error
    /// The place and the reason. The only text that does not come from Errand is that of an error which a type throws
    /// itself.
    package let description: String

    /// - Parameter isJSON: Whether the document should be JSON. After a `dataCorrupted` without a place or a path, as
    ///   from Foundation's `JSONDecoder`, the document is then read again to find a syntax error.
    package init(_ error: any Error, in document: Data, isJSON: Bool) {
        let located = error as? LocatedError
        let error = located?.cause ?? error
        cause = error
        let location = (error as? DecodingError)?.jsonLocation
        // The text of a type's own error contains the place.
        let ownText = (error as? DecodingError)?.ownText.map { ": \($0)" }
        let place = ownText ?? location.map { ", at \($0)" } ?? ""
        // For a sentence such as `age is a string, not Int`, or `age is not Int` if the kind is unknown.
        let found = location?.found.map { "\($0), not" } ?? "not"
        switch error {
        case _ where document.isEmpty:
            description = "the body is empty"
        case DecodingError.typeMismatch(let type, let context):
            description = "\(context.codingPath.writtenOut) is \(found) \(JSONToken.Kind.words(for: type))\(place)"
        case DecodingError.valueNotFound(_, let context) where location?.found == JSONOffset.missing:
            description = "\(context.codingPath.writtenOut) is missing\(place)"
        case DecodingError.valueNotFound(let type, let context):
            description = "\(context.codingPath.writtenOut) is null, not \(JSONToken.Kind.words(for: type))\(place)"
        case DecodingError.keyNotFound(let key, let context):
            description = "\((context.codingPath + [key]).writtenOut) is missing\(place)"
        case DecodingError.dataCorrupted(let context) where location != nil:
            // The text contains the place. A syntax error has no kind of value, and no path.
            let path = location?.found == nil ? "" : "\(context.codingPath.writtenOut): "
            description = path + context.debugDescription
        case DecodingError.dataCorrupted(let context) where isJSON && context.codingPath.isEmpty:
            description = Self.syntaxError(in: document)
        case DecodingError.dataCorrupted(let context):
            description = "\(context.codingPath.writtenOut) is not valid"
        case _ where located != nil:
            description = located?.description ?? ""
        default:
            description = "the decoder failed"
        }
    }

    /// Foundation's decoder only reports that a document is not JSON, and reports the same for a number out of range.
    private static func syntaxError(in document: Data) -> String {
        do {
            _ = try FastJSONDecoder().decode(JSONValue.self, from: document)
            return "a value is out of range or invalid"
        } catch {
            return DecodingFailure(error, in: document, isJSON: false).description
        }
    }
}

/// A place in a JSON document.
///
/// A `DecodingError` of ``FastJSONDecoder`` has it as its `underlyingError`, which
/// ``Swift/DecodingError/jsonLocation`` returns.
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
    /// Whether the error's text comes from the decoder, not from a type.
    let hasDecodersText: Bool

    init(_ offset: Int, in document: UnsafeBufferPointer<UInt8>, found: String?, hasDecodersText: Bool = true) {
        self.found = found
        self.hasDecodersText = hasDecodersText
        var (line, lineStart) = (1, 0)
        for at in 0..<offset where document[at] == UInt8(ascii: "\n") { (line, lineStart) = (line + 1, at + 1) }
        byteOffset = offset
        self.line = line
        column = offset - lineStart + 1
    }

    /// Line and column, such as `line 3, column 14`.
    public var description: String { "line \(line), column \(column)" }
}

/// The offset of a value that could not be decoded.
///
/// A type may catch many errors while it is decoded. So the line is counted only for the one that ends the decoding.
struct JSONOffset: Error {
    /// The value of ``found`` if an object has no member for a superclass, or an array no more elements.
    static let missing = "no member"

    let bytes: Int
    /// The kind of the value; `nil` for an error about a key.
    var found: String?
    /// Whether the error's text comes from the decoder, not from a type.
    var hasDecodersText = true
    /// The document of the value. A type can keep an error or a container, and use it while another document is
    /// decoded.
    let document: DocumentIdentity

    /// The identity of a document. An error that outlives its document retains the identity, so that no other document
    /// gets the same one.
    final class DocumentIdentity: Sendable {}
}

/// The errors of ``FastJSONDecoder`` that contain their place in the document.
package enum ErrorPlaces {
    case none
    case decodingErrors
    /// Also the errors of types, each as a ``LocatedError``.
    case allErrors
}

/// An error other than a `DecodingError` that a type has thrown, with its place.
struct LocatedError: Error, CustomStringConvertible {
    let cause: any Error
    let path: [any CodingKey]
    let location: JSONLocation

    /// The path, the author's text and the place. Without such a text, the name of the error's type is shown: the
    /// default text of a Swift type, and those of Foundation, can contain values of the document.
    var description: String {
        "\(path.writtenOut): \(authorsText ?? String(describing: type(of: cause))), at \(location)"
    }

    private var authorsText: String? {
        let name = String(reflecting: type(of: cause))
        let isOfSystem = name.hasPrefix("Foundation") || name.hasPrefix("Swift.") || type(of: cause) is NSObject.Type
        guard !isOfSystem else { return nil }
        return switch cause {
        case let cause as any LocalizedError: cause.errorDescription
        case let cause as any CustomStringConvertible: cause.description
        default: nil
        }
    }
}

extension JSONDocument {
    /// Adds its place to an error of a type.
    func located(_ error: any Error, at index: Int, in text: UnsafeBufferPointer<UInt8>) -> LocatedError {
        let location = JSONLocation(tape.offset(of: index), in: text, found: tape[index].kind.words)
        return LocatedError(cause: error, path: path(of: index), location: location)
    }
}

extension DecodingError {
    /// The text of an error that a type throws itself, with the place; `nil` for an error of the decoder.
    fileprivate var ownText: String? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            jsonLocation?.hasDecodersText == false ? context.debugDescription : nil
        @unknown default: nil
        }
    }

    /// Returns this error with line and column in place of an offset. An offset in another document is removed.
    func located(in text: UnsafeBufferPointer<UInt8>, of document: JSONOffset.DocumentIdentity) -> DecodingError {
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

    /// Returns the same error with another context.
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

extension Collection where Element == any CodingKey {
    /// The path in the usual notation, such as `[3].address.city`; `the top level` if it is empty.
    ///
    /// The key of a dictionary is data, like its values, and is shown as `*`. The key `super` represents a superclass.
    package var writtenOut: String {
        guard !isEmpty else { return "the top level" }
        return reduce(into: "") { path, key in
            if let index = key.elementIndex {
                path += "[\(index)]"
            } else {
                let isShown = key.isDeclared || key.stringValue == "super"
                path += (path.isEmpty ? "" : ".") + (isShown ? key.stringValue : "*")
            }
        }
    }

    /// The path with `*` for the keys of dictionaries.
    package var withoutData: [any CodingKey] {
        map(\.withoutData)
    }
}

extension CodingKey {
    /// The key, or `*` for the key of a dictionary, because it is part of the document.
    package var withoutData: any CodingKey { isDeclared || elementIndex != nil ? self : HiddenKey() }

    /// The index of an array's element; `nil` for another key. A dictionary's key can be a number too, but only an
    /// index has a text such as `Index 3`, in Errand and in Foundation.
    fileprivate var elementIndex: Int? { intValue.flatMap { stringValue == "Index \($0)" ? $0 : nil } }

    /// Whether the key is a case of a type's `CodingKeys` enumeration. The keys of dictionaries and arrays are structs,
    /// or have types of the standard library or of Foundation.
    fileprivate var isDeclared: Bool {
        let type = String(reflecting: type(of: self))
        return Mirror(reflecting: self).displayStyle == .enum && !type.hasPrefix("Foundation")
            && !type.hasPrefix("Swift.")
    }
}

/// The replacement for the key of a dictionary.
private struct HiddenKey: CodingKey {
    var stringValue: String { "*" }
    var intValue: Int? { nil }

    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}
