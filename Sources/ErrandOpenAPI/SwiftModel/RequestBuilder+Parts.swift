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
        var root: String?
        for property in object.properties where !property.schema.isReadOnly {
            var use = types.use(property.schema, named: property.name, in: owner)
            let isFile = types.resolver.isBinary(property.schema)
            if isFile { use.type = use.type.isArray ? .array(.upload) : .upload }
            let encoding = content.encodings[property.name]
            // Of several media types, the upload has the one that it says, or that of its file.
            let mediaTypes = encoding?.contentType?.split(separator: ",").map(String.init) ?? []
            let isOne = mediaTypes.count == 1 && !mediaTypes[0].contains("*")
            var own = property.schema.contentMediaType
            if own == nil, isFile || use.type.isData,
                case .array(let element?) = types.resolver.resolveReferences(property.schema)
            {
                own = element.contentMediaType
            }
            var type = (isOne ? mediaTypes.first : own)?.filter { $0 != " " }
            let isText = !isFile && isText(property.schema)
            if let given = type, !MediaType.isJSON(given), !isFile, !isText {
                let message = "the part \"\(property.name)\" is sent as JSON, without its media type \(given)"
                reader.report(.warning, .unsupported, message, content.node["encoding"]?[property.name] ?? content.node)
                type = nil
            }
            var lines = Documentation.lines(ofProperty: property.schema, use)
            if !mediaTypes.isEmpty, !isOne {
                lines.append("The media type is one of \(mediaTypes.joined(separator: ",")).")
            }
            let part = RequestModel.Parameter(
                property.name, use, isRequired: property.isRequired, .part(type: type), lines)
            request.parameters.append(part)
            let isPlain = isText && !use.type.isData
            let usual = isFile ? "application/octet-stream" : isPlain ? "text/plain" : "application/json"
            root = root ?? type.map(MediaType.essence) ?? usual
            addHeaders(encoding?.headers ?? [], of: part, to: &request, owner)
        }
        if let root { setRoot(root, of: &request, content) }
    }

    /// Whether a value is sent as a text, unless its media type is JSON.
    /// Each element of an array is a part.
    private func isText(_ schema: Schema) -> Bool {
        func isScalar(_ shape: Shape) -> Bool {
            switch shape {
            case .scalar: true
            case .enumeration(let list): list.kind != .mixed
            default: false
            }
        }
        let shape = types.resolver.resolveReferences(schema)
        guard case .array(let element?) = shape else { return isScalar(shape) }
        return isScalar(types.resolver.resolveReferences(element))
    }

    /// Adds the parameters of the header fields of a part. Two names that differ only in case are one field.
    private func addHeaders(
        _ headers: [Header], of part: RequestModel.Parameter, to request: inout RequestModel, _ owner: Declaration.Owner
    ) {
        var known: Set<String> = []
        for header in headers {
            let place = "the field \"\(header.name)\" of the part \"\(part.jsonName)\" is ignored"
            if !header.hasValidName {
                reader.report(.warning, .body, "\(place): it is not a valid name of a header field", header.node)
            } else if !known.insert(header.name.lowercased()).inserted {
                reader.report(.warning, .body, "\(place): it differs from another one only in case", header.node)
            } else {
                add(header, of: part, to: &request, owner)
            }
        }
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
        if header.isRequired, !part.isRequired { lines.append("It is required if `\(name)` is sent.") }
        request.parameters.append(
            RequestModel.Parameter(
                "\(name)-\(header.name)", use, isRequired: header.isRequired && part.isRequired,
                .partHeader(header.name, part: name, explode: header.explode, isJSON: isJSON), lines))
    }

    /// Adds the media type of the first part, which `multipart/related` requires (RFC 2387, section 3.1).
    private func setRoot(_ type: String, of request: inout RequestModel, _ content: MediaType) {
        let isNamed = content.fullType.lowercased().contains("; type=")
        guard content.type == "multipart/related", !isNamed else { return }
        request.contentType = "\(content.fullType); type=\"\(type)\""
    }
}

extension Header {
    /// Whether the name is a token (RFC 9110, section 5.6.2).
    fileprivate var hasValidName: Bool {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let allowed = "!#$%&'*+-.^_`|~0123456789" + letters
        return !name.isEmpty && name.unicodeScalars.allSatisfy(allowed.unicodeScalars.contains)
    }
}
