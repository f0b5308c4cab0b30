/// The place and the cause of a decoding failure, in words that quote no value of the document.
package struct DecodingFailure: CustomStringConvertible {
    package let description: String

    package init(_ error: any Error, in document: Data, isJSON: Bool) {
        switch error {
        case _ where document.isEmpty:
            description = "the body is empty"
        case DecodingError.typeMismatch(let type, let context):
            description = "\(context.codingPath.writtenOut) is not \(type)"
        case DecodingError.valueNotFound(let type, let context):
            description = "\(context.codingPath.writtenOut) is null, not \(type)"
        case DecodingError.keyNotFound(let key, let context):
            description = "\((context.codingPath + [key]).writtenOut) is missing"
        case DecodingError.dataCorrupted(let context) where isJSON && context.codingPath.isEmpty:
            description = Self.syntaxError(in: document)
        case DecodingError.dataCorrupted(let context):
            description = "\(context.codingPath.writtenOut) is not valid"
        default:
            description = "the decoder failed"
        }
    }

    /// `JSONDecoder` reports only that the document is not JSON; `JSONSerialization` reports the position.
    private static func syntaxError(in document: Data) -> String {
        do {
            _ = try JSONSerialization.jsonObject(with: document, options: [.fragmentsAllowed])
            return "a value is out of range or invalid"
        } catch {
            guard let offset = offset(from: error as NSError), offset < document.count else {
                return (error as NSError).saysEndOfFile ? "not JSON: it ends too early" : "not valid JSON"
            }
            let before = document.prefix(offset)
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
            return "not JSON at line \(line), column \(column)"
        }
    }

    /// The offset in bytes: Foundation on Apple platforms has a key for it, on Linux only a sentence that ends with it.
    private static func offset(from error: NSError) -> Int? {
        if let index = error.userInfo["NSJSONSerializationErrorIndex"] as? Int { return index }
        let sentence = error.userInfo["NSDebugDescription"] as? String ?? ""
        guard let words = sentence.components(separatedBy: " character ").last, words != sentence else { return nil }
        return Int(words.prefix { $0.isNumber })
    }
}

extension NSError {
    /// Whether the document ended too early; Foundation on Linux reports that only in a sentence.
    fileprivate var saysEndOfFile: Bool {
        (userInfo["NSDebugDescription"] as? String)?.contains("end of file") == true
    }
}
