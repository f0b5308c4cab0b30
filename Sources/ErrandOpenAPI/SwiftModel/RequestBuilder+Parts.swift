extension RequestBuilder {
    /// Adds a parameter for each part of a multipart body, and for the header fields of the parts.
    func addParts(
        _ content: MediaType, isRequired: Bool, to request: inout RequestModel, _ owner: Declaration.Owner
    ) {
        guard let schema = content.schema, case .object(let object) = types.resolver.resolveReferences(schema) else {
            reader.report(.warning, .body, "the parts of the form are not known; it is sent as bytes", content.node)
            request.body = .binary(type: content.fullType)
            request.contentType = nil
            request.parameters.append(
                RequestModel.Parameter(
                    jsonName: "body", type: .upload, isRequired: isRequired, purpose: .body, constant: nil,
                    documentation: []))
            return
        }
        for property in object.properties where !property.schema.isReadOnly {
            var use = types.use(property.schema, named: property.name, in: owner)
            let isFile = types.resolver.isBinary(property.schema)
            if isFile { use.type = use.type.isArray ? .array(.upload) : .upload }
            let encoding = content.encodings[property.name]
            // Of several media types, the upload has the one that it says, or that of its file.
            let mediaTypes = encoding?.contentType?.split(separator: ",").map(String.init) ?? []
            let isOne = mediaTypes.count == 1 && !mediaTypes[0].contains("*")
            let type = isOne ? mediaTypes.first : property.schema.contentMediaType
            var lines = Documentation.lines(
                ofProperty: property.schema, constant: use.constant)
            if !mediaTypes.isEmpty, !isOne {
                lines.append("The media type is one of \(mediaTypes.joined(separator: ",")).")
            }
            let part = RequestModel.Parameter(
                jsonName: property.name, type: use.type, isRequired: property.isRequired && !use.isNullable,
                purpose: .part(type: type?.filter { $0 != " " }), constant: use.constant, documentation: lines)
            request.parameters.append(part)
            for header in encoding?.headers ?? [] { add(header, of: part, to: &request, owner) }
        }
        setRoot(of: &request, content)
    }

    /// Adds the parameter of a header field of a part.
    private func add(
        _ header: Header, of part: RequestModel.Parameter, to request: inout RequestModel, _ owner: Declaration.Owner
    ) {
        let name = part.jsonName
        guard header.name.lowercased() != "content-disposition" else {
            let message = "the field Content-Disposition of the part \"\(name)\" is ignored: its name sets it"
            return reader.report(.note, .body, message, header.node)
        }
        let isJSON = header.content?.isJSON == true
        let schema = header.schema ?? header.content?.schema
        let use = schema.map { types.use($0, named: "\(name)-\(header.name)", in: owner) } ?? TypeUse(type: .string)
        var lines = ["The header field `\(header.name)` of `\(name)`."]
        lines += header.description.map(Documentation.paragraphs) ?? []
        if header.isRequired, part.hasDefault { lines.append("It is required if `\(name)` is sent.") }
        request.parameters.append(
            RequestModel.Parameter(
                jsonName: "\(name)-\(header.name)", type: use.type,
                isRequired: header.isRequired && !part.hasDefault && !use.isNullable,
                purpose: .partHeader(header.name, part: name, explode: header.explode, isJSON: isJSON),
                constant: header.isRequired ? use.constant : nil, documentation: lines))
    }

    /// Adds the media type of the first part, which `multipart/related` requires (RFC 2387, section 3.1).
    private func setRoot(of request: inout RequestModel, _ content: MediaType) {
        let isNamed = content.fullType.lowercased().contains("; type=")
        guard content.type == "multipart/related", !isNamed, let root = request.parameters.compactMap(\.partType).first
        else { return }
        request.contentType = "\(content.fullType); type=\"\(root)\""
    }
}

extension RequestModel.Parameter {
    /// The media type of a part; `nil` for a parameter that is not a part.
    fileprivate var partType: String? {
        guard case .part(let given) = purpose else { return nil }
        switch type {
        case .upload: return given ?? "application/octet-stream"
        case .string, .bool, .int, .int64, .uint64, .double, .decimal, .date, .calendarDate, .uuid, .url:
            return given ?? "text/plain"
        default: return given ?? "application/json"
        }
    }
}
