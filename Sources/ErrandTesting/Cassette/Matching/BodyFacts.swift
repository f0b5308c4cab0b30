import Errand

/// The facts by which bodies are compared: the values of JSON, the fields of a form, the lines of other text.
enum BodyFacts {
    static func facts(of request: HAR.Request) -> [Fact] {
        guard let body = request.postData else {
            return request.bodySize > 0 ? [Fact("body", "not kept, \(request.bodySize) bytes")] : []
        }
        guard let data = body.data else { return [Fact("body", "not kept")] }
        return facts(of: data, type: ContentType(lenient: body.mimeType))
    }

    private static func facts(of data: Data, type: ContentType?) -> [Fact] {
        if type?.isJSON == true, let value = JSONValue(document: data) { return value.facts(of: "body") }
        guard var text = String(validating: data, as: UTF8.self) else {
            let start = data.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            return [
                Fact(
                    "body", value: .string(data.base64EncodedString()),
                    shownAs: "\(data.count) bytes that begin \(start)")
            ]
        }
        if type?.isForm == true { return RequestParts.sorted(text, plusIsSpace: true).map { Fact("body", $0.text) } }
        // The boundary is random in each request, so it is not compared.
        if let boundary = type?["boundary"], !boundary.isEmpty {
            text = text.replacingOccurrences(of: boundary, with: "boundary")
        }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            Fact("body", String($0))
        }
    }
}
