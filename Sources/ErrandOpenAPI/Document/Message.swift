/// One form of a body: its media type and its schema.
struct MediaType {
    /// How a property of a form is written.
    struct Encoding {
        let contentType: String?
        let style: Parameter.Style?
        let explode: Bool?
        /// The header fields of a part.
        let headers: [Header]
    }

    let node: Node
    /// The media type without parameters, in lowercase.
    let type: String
    /// The media type with its parameters, as it is sent. The boundary of a multipart type is that of the body.
    let fullType: String
    let schema: Schema?
    /// The schema of one item of a stream.
    let itemSchema: Schema?
    let encodings: [String: Encoding]
    /// The examples, in the order of the document.
    let examples: [Node]

    static func all(of node: Node, _ reader: DocumentReader) -> [MediaType] {
        reader.members(node, "content").compactMap { member in
            guard let target = reader.target(of: member.value), reader.check(target, .mediaType) else { return nil }
            return MediaType(member.key, target, reader)
        }
    }

    private init(_ type: String, _ node: Node, _ reader: DocumentReader) {
        self.node = node
        let parts = Self.parts(of: type)
        self.type = parts[0]
        fullType = parts.filter { !$0.lowercased().hasPrefix("boundary=") }.joined(separator: "; ")
        schema = node["schema"].map { reader.schemas[$0] }
        itemSchema = node["itemSchema"].map { reader.schemas[$0] }
        var encodings: [String: Encoding] = [:]
        for member in reader.members(node, "encoding") where reader.check(member.value, .encoding) {
            if let flag = member.value["allowReserved"], flag.bool == true {
                let message = "the reserved characters of the field \"\(member.key)\" are escaped"
                reader.report(.warning, .unsupported, message, flag)
            }
            encodings[member.key] = Encoding(
                contentType: reader.text(member.value, "contentType"),
                style: reader.text(member.value, "style").flatMap(Parameter.Style.init),
                explode: reader.bool(member.value, "explode"), headers: Header.all(of: member.value, reader))
        }
        self.encodings = encodings
        let named = reader.members(node, "examples").compactMap { reader.target(of: $0.value)?["value"] }
        examples = (node["example"].flatMap { reader.target(of: $0) }.map { [$0] } ?? []) + named
    }

    /// Splits a media type at its semicolons, but not at those in quotes. The first part is the type in lowercase.
    private static func parts(of text: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && isQuoted && !isEscaped
            if character == ";", !isQuoted {
                parts.append("")
            } else if isQuoted || !character.isWhitespace {
                parts[parts.count - 1].append(character)
            }
        }
        return [parts[0].lowercased()] + parts.dropFirst().filter { !$0.isEmpty }
    }

    /// Whether this is a media type of the configuration: with its parameters, or without any.
    func isNamed(_ text: String) -> Bool {
        let parts = Self.parts(of: text)
        return parts.count == 1 ? type == parts[0] : fullType == parts.joined(separator: "; ")
    }

    /// The parameter `charset` in lowercase; `nil` without one.
    var charset: String? {
        let parameter = Self.parts(of: fullType).dropFirst().first { $0.lowercased().hasPrefix("charset=") }
        return parameter?.dropFirst("charset=".count).lowercased().filter { $0 != "\"" }
    }

    /// Returns a media type without its parameters, in lowercase.
    static func essence(of text: String) -> String { parts(of: text)[0] }

    /// Whether a media type is JSON, whatever its parameters and the case of its letters are.
    static func isJSON(_ text: String) -> Bool {
        let type = essence(of: text)
        return ["application/json", "text/json", "application/x-json"].contains(type) || type.hasSuffix("+json")
    }

    var isJSON: Bool { Self.isJSON(type) || type == "application/*" }
    var isForm: Bool { type == "application/x-www-form-urlencoded" }
    var isMultipart: Bool { type.hasPrefix("multipart/") }
    /// Whether this is several ranges of another media type.
    var isRanges: Bool { type == "multipart/byteranges" }
    var isXML: Bool { type == "application/xml" || type == "text/xml" || type.hasSuffix("+xml") }
    var isEvents: Bool { type == "text/event-stream" }
    var isText: Bool { type.hasPrefix("text/") && !isXML && !isEvents && type != "text/json" }
    var isJSONLines: Bool {
        ["application/jsonl", "application/x-ndjson", "application/ndjson", "application/json-seq"].contains(type)
    }
    /// Whether a response of this type is a sequence, which is read as it arrives.
    var isSequence: Bool { isEvents || isJSONLines || isMultipart }
}

/// The body of a request.
struct RequestBody {
    let node: Node
    let description: String?
    let isRequired: Bool
    let content: [MediaType]

    init?(_ node: Node, _ reader: DocumentReader) {
        guard let target = reader.target(of: node), reader.check(target, .requestBody) else { return nil }
        self.node = target
        description = reader.text(target, "description")
        isRequired = reader.bool(target, "required") ?? false
        content = MediaType.all(of: target, reader)
        if content.isEmpty { reader.report(.warning, .body, "the request body has no content", target) }
    }
}

/// A header field of a response, or of a part of a form.
struct Header {
    let node: Node
    let name: String
    let description: String?
    let isRequired: Bool
    /// The first example in the document.
    let example: String?
    /// `nil` for a field whose value is a document, or is not described.
    let schema: Schema?
    let explode: Bool
    /// The media type of the value, if it is a document.
    let content: MediaType?

    /// Returns the fields of a response or an encoding. `Content-Type` is ignored, since the content says it.
    static func all(of response: Node, _ reader: DocumentReader) -> [Header] {
        reader.members(response, "headers").compactMap { member in
            guard member.key.lowercased() != "content-type" else { return nil }
            guard let header = reader.target(of: member.value) else { return nil }
            return Header(
                node: header, name: member.key, description: reader.text(header, "description"),
                isRequired: header["required"]?.bool == true,
                example: header["example"]?.text ?? header["examples"]?.members.first?.value["value"]?.text,
                schema: header["schema"].map { reader.schemas[$0] },
                explode: header["explode"]?.bool == true, content: MediaType.all(of: header, reader).first)
        }
    }
}

/// A response of an operation.
struct Response {
    let node: Node
    /// `200`, `4XX` or `default`.
    let status: String
    let description: String?
    /// The media types of the body. A response to HEAD has none, and 204 and 205 have none (RFC 9110, sections 9.3.2,
    /// 15.3.5 and 15.3.6).
    let content: [MediaType]
    /// For HEAD, the media types of the body that GET would return; empty for other methods.
    let headTypes: [String]
    let headers: [Header]
    let links: [String]

    var isSuccess: Bool { status.hasPrefix("2") }
    var isFailure: Bool { status.hasPrefix("4") || status.hasPrefix("5") }
    var isDefault: Bool { status == "default" }

    static func all(of node: Node, _ method: String, _ reader: DocumentReader) -> [Response] {
        let responses = reader.members(node, "responses").filter { !$0.key.hasPrefix("x-") }
        return responses.compactMap { member in
            let status = member.key.uppercased() == "DEFAULT" ? "default" : member.key.uppercased()
            guard status == "default" || isStatus(status) else {
                let message =
                    "\"\(member.key)\" is not a status code, a range such as 4XX, or \"default\"; it is ignored"
                reader.report(.warning, .response, message, member.value)
                return nil
            }
            guard let target = reader.target(of: member.value), reader.check(target, .response) else { return nil }
            let content = MediaType.all(of: target, reader)
            let hasBody = method != "HEAD" && status != "204" && status != "205"
            if !hasBody, !content.isEmpty {
                let message = "the response \(status) to \(method) has no body; its content is ignored"
                reader.report(.note, .response, message, target)
            }
            return Response(
                node: target, status: status, description: reader.text(target, "description"),
                content: hasBody ? content : [], headTypes: method == "HEAD" ? content.map(\.fullType) : [],
                headers: Header.all(of: target, reader),
                links: reader.members(target, "links").map(\.key))
        }
    }

    private static func isStatus(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 3, (0x31...0x35).contains(bytes[0]) else { return false }
        return bytes[1] == 0x58 && bytes[2] == 0x58 || bytes.allSatisfy { (0x30...0x39).contains($0) }
    }
}
