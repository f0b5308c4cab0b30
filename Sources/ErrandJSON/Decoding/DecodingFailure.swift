/// The place and the cause of a decoding failure, in words that contain no value of the document.
package struct DecodingFailure: CustomStringConvertible {
    package let description: String

    package init(_ error: any Error, in document: Data, isJSON: Bool) {
        let location = (error as? DecodingError)?.jsonLocation
        let place = location.map { ", at \($0)" } ?? ""
        let found = location?.found.map { "\($0), not" } ?? "not"
        switch error {
        case _ where document.isEmpty:
            description = "the body is empty"
        case DecodingError.typeMismatch(let type, let context):
            description = "\(context.codingPath.writtenOut) is \(found) \(JSONToken.Kind.words(for: type))\(place)"
        case DecodingError.valueNotFound(_, let context) where location?.found == JSONOffset.noMember:
            description = "\(context.codingPath.writtenOut) is missing\(place)"
        case DecodingError.valueNotFound(let type, let context):
            description = "\(context.codingPath.writtenOut) is null, not \(JSONToken.Kind.words(for: type))\(place)"
        case DecodingError.keyNotFound(let key, let context):
            description = "\((context.codingPath + [key]).writtenOut) is missing\(place)"
        case DecodingError.dataCorrupted(let context) where location?.hasDecodersText == true:
            let path = location?.found == nil ? "" : "\(context.codingPath.writtenOut): "
            description = path + context.debugDescription
        case DecodingError.dataCorrupted(let context) where location != nil:
            description = "\(context.codingPath.writtenOut) is not valid\(place)"
        case DecodingError.dataCorrupted(let context) where isJSON && context.codingPath.isEmpty:
            description = Self.syntaxError(in: document)
        case DecodingError.dataCorrupted(let context):
            description = "\(context.codingPath.writtenOut) is not valid"
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
