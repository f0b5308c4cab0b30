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
            let isFile = isFile(property.schema)
            let use =
                isFile ? upload(property.schema) : types.use(property.schema, named: property.name, in: owner)
            let encoding = content.encodings[property.name]
            let mediaTypes = encoding?.contentType?.split(separator: ",").map { $0.filter { $0 != " " } } ?? []
            let isOne = mediaTypes.count == 1 && !mediaTypes[0].contains("*")
            var own = property.schema.contentMediaType
            if own == nil, isFile || use.type.isData,
                case .array(let element?) = types.resolver.resolveReferences(property.schema)
            {
                own = element.contentMediaType
            }
            // As the type of a file's schema, this means any bytes: FastAPI writes it for each file.
            if isFile, own == "application/octet-stream" { own = nil }
            var given = isOne ? mediaTypes : own.map { [$0.filter { $0 != " " }] } ?? []
            if isFile, !mediaTypes.isEmpty { given = mediaTypes.allSatisfy { $0.contains("*") } ? [] : mediaTypes }
            let isText = !isFile && isText(property.schema)
            if let type = given.first, !MediaType.isJSON(type), !isFile, !isText {
                let message = "the part \"\(property.name)\" is sent as JSON, without its media type \(type)"
                reader.report(.warning, .unsupported, message, content.node["encoding"]?[property.name] ?? content.node)
                given = []
            }
            var lines = Documentation.lines(ofProperty: property.schema, use)
            if !mediaTypes.isEmpty, !isOne {
                lines.append("The media type is one of \(mediaTypes.joined(separator: ", ")).")
            }
            let part = RequestModel.Parameter(
                property.name, use, isRequired: property.isRequired, .part(types: given, isText: isText), lines)
            request.parameters.append(part)
            let usual = isFile ? "application/octet-stream" : isText ? "text/plain" : "application/json"
            root = root ?? (given.count == 1 ? MediaType.essence(of: given[0]) : usual)
            addHeaders(encoding?.headers ?? [], of: part, to: &request, owner)
        }
        if let root { setRoot(root, of: &request, content) }
    }

    /// Whether a value is sent as a text, unless its media type is JSON. Each element of an array is a part. A union
    /// with objects is sent as a text if its value is one.
    private func isText(_ schema: Schema, isElement: Bool = false, in unions: Set<Schema> = []) -> Bool {
        switch types.resolver.resolveReferences(schema) {
        case .scalar, .enumeration: return true
        case .array(let element?): return !isElement && isText(element, isElement: true, in: unions)
        case .union(let union):
            guard !unions.contains(union.schema) else { return false }
            let areTexts = union.branches.map { branch in
                isText(branch.schema, isElement: isElement, in: unions.union([union.schema]))
            }
            return areTexts.contains(true)
                && zip(union.branches, areTexts).allSatisfy { branch, isText in
                    isText || types.resolver.resolveReferences(branch.schema).isObject
                }
        default: return false
        }
    }

    /// Whether a value is bytes, or an array of them.
    private func isFile(_ schema: Schema) -> Bool {
        func isFile(_ shape: Shape) -> Bool {
            guard case .array(let element?) = shape else { return shape.isBinary }
            return types.resolver.resolveReferences(element).isBinary
        }
        let shape = types.resolver.resolveReferences(schema)
        guard case .union(let union) = shape else { return isFile(shape) }
        return union.branches.allSatisfy { isFile(types.resolver.resolveReferences($0.schema)) }
    }

    /// The type of a file, or of several ones if the schema or a branch of its union is an array.
    private func upload(_ schema: Schema) -> TypeUse {
        func isArray(_ schema: Schema) -> Bool {
            if case .array = types.resolver.resolveReferences(schema) { true } else { false }
        }
        var schemas = [schema]
        if case .union(let union) = types.resolver.resolveReferences(schema) { schemas = union.branches.map(\.schema) }
        let type: SwiftType = schemas.contains(where: isArray) ? .array(.upload) : .upload
        return TypeUse(type: type, isNullable: types.resolver.isNullable(schema))
    }

    /// Adds the parameters of the header fields of a part. Two names that differ only in case are one field.
    private func addHeaders(
        _ headers: [Header], of part: RequestModel.Parameter, to request: inout RequestModel, _ owner: Declaration.Owner
    ) {
        var known: Set<String> = []
        for header in headers {
            let place = "the field \"\(header.name)\" of the part \"\(part.jsonName)\" is ignored"
            if !header.name.isToken {
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
