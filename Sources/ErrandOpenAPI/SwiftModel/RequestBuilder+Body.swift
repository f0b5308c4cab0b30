extension RequestBuilder {
    /// Adds the parameters of the body.
    func addBody(_ body: RequestBody, to request: inout RequestModel, _ owner: Declaration.Owner) {
        guard let content = chosen(body.content) else { return }
        if !body.isRequired, let schema = content.schema, types.resolver.isEmptyObject(schema) {
            return reader.report(.note, .body, "the body has no members, and is not sent", body.node)
        }
        if body.content.count > 1 {
            let others = body.content.map(\.fullType).filter { $0 != content.fullType }.joined(separator: ", ")
            reader.report(.note, .body, "the body is sent as \(content.fullType), not as \(others)", body.node)
        }
        let lines = body.description.map(Documentation.paragraphs) ?? []
        func add(_ type: SwiftType, isNullable: Bool = false, _ purpose: RequestModel.Parameter.Purpose = .body) {
            request.parameters.append(
                RequestModel.Parameter(
                    jsonName: "body", type: isNullable ? .nullable(type) : type, isRequired: body.isRequired,
                    purpose: purpose, constant: nil, documentation: lines))
        }
        let kind = kind(of: content)
        request.body = kind
        let usual = ["multipart/form-data", "multipart/*", "application/x-www-form-urlencoded"]
        if content.isMultipart || content.isForm, !usual.contains(content.fullType) {
            request.contentType = content.fullType
        }
        switch kind {
        case .jsonLines: add(.array(types.element(types.resolver.item(of: content), "body", owner)))
        case .json, .form:
            let use = content.schema.map { types.use($0, named: "body", in: owner) } ?? TypeUse(type: .json)
            add(use.type, isNullable: use.isNullable && use.type != .json)
        case .text: add(.string)
        case .binary: add(.upload)
        case .multipart: addParts(content, isRequired: body.isRequired, to: &request, owner)
        }
    }

    /// The media type that is sent: JSON, then forms, texts and bytes.
    private func chosen(_ content: [MediaType]) -> MediaType? {
        if let preferred = preferred(content) { return preferred }
        let order: [(MediaType) -> Bool] = [
            { $0.type == "application/json" }, { $0.isJSON }, { $0.isMultipart && $0.schema != nil }, { $0.isForm },
            { $0.isText },
        ]
        for matches in order { if let match = content.first(where: matches) { return match } }
        return content.first
    }

    /// The media type that the configuration prefers.
    func preferred(_ content: [MediaType]) -> MediaType? {
        media.lazy.compactMap { type in content.first { $0.isNamed(type) } }.first
    }

    private func kind(of content: MediaType) -> RequestModel.Body {
        if content.isMultipart { return .multipart }
        if content.isForm { return .form(formFields(content)) }
        if content.isJSONLines, types.resolver.item(of: content) != nil { return .jsonLines(type: content.fullType) }
        let shape = content.schema.map { types.resolver.resolveReferences($0) }
        if content.isJSON || content.type == "*/*" && shape?.isStructured == true {
            return .json(type: content.fullType)
        }
        if content.isText || content.isXML && shape?.isBinary != true {
            if content.isXML { reader.report(.warning, .unsupported, "XML is sent as a text", content.node) }
            return .text(type: textType(content))
        }
        if shape?.isStructured == true, !content.isXML, content.type.hasPrefix("application/"),
            content.type != "application/octet-stream"
        {
            return .json(type: content.fullType)
        }
        return .binary(type: content.fullType)
    }

    /// The media type of a text, which is sent in UTF-8.
    private func textType(_ content: MediaType) -> String {
        guard let charset = content.charset else { return content.fullType }
        if charset == "utf-8" || charset == "utf8" {
            return content.type == "text/plain" ? content.type : content.fullType
        }
        reader.report(.warning, .unsupported, "the text is sent in UTF-8, not in \(charset)", content.node)
        return "\(content.type); charset=utf-8"
    }

    /// How a form writes its fields: objects as JSON, unless an encoding gives their style.
    private func formFields(_ content: MediaType) -> RequestModel.FormFields {
        guard case .object(let object)? = content.schema.map({ types.resolver.resolveReferences($0) }) else {
            return content.encodings.values.contains { $0.style == .deepObject } ? .brackets : .repeated
        }
        var styles: [(name: String, style: Parameter.Style)] = []
        var json: [String] = []
        var hasRepeated = false
        for property in object.properties {
            let encoding = content.encodings[property.name]
            let shape = types.resolver.resolveReferences(property.schema)
            let hasStyle = encoding?.style != nil || encoding?.explode != nil
            if !hasStyle, encoding?.contentType?.contains("json") ?? shape.isObject {
                json.append(property.name)
            } else if encoding?.style == .deepObject {
                styles.append((property.name, .deepObject))
            } else if let encoding, encoding.explode ?? (encoding.style ?? .form == .form) == false {
                styles.append((property.name, encoding.style ?? .form))
            } else if case .array = shape {
                hasRepeated = true
            }
        }
        if json.isEmpty, styles.isEmpty { return .repeated }
        let areNested = styles.allSatisfy { $0.style == .deepObject }
        return json.isEmpty && areNested && !hasRepeated ? .brackets : .styles(styles, json: json)
    }
}

extension Shape {
    /// Whether JSON is the only form that values of this shape have.
    var isStructured: Bool {
        switch self {
        case .object, .union, .array, .dictionary(.some): true
        case .any, .null, .scalar, .enumeration, .dictionary(nil), .reference: false
        }
    }

    /// Whether values of this shape have members.
    var isObject: Bool {
        switch self {
        case .object, .dictionary: true
        case .any, .null, .scalar, .enumeration, .array, .union, .reference: false
        }
    }

    /// Whether values of this shape can be more than one text.
    var hasParts: Bool {
        switch self {
        case .any, .object, .dictionary, .array, .union: true
        case .null, .scalar, .enumeration, .reference: false
        }
    }

    var isBinary: Bool { if case .scalar(.binary) = self { true } else { false } }
}

extension SwiftType {
    var isArray: Bool { if case .array = self { true } else { false } }
}
