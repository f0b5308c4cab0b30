extension RequestBuilder {
    /// Adds what becomes of the responses: the output, the stream and the type of error documents.
    func addOutput(of operation: Operation, to request: inout RequestModel, _ owner: Declaration.Owner) {
        let successes = operation.responses.filter(\.isSuccess)
        let fallback = successes.isEmpty ? operation.responses.filter(\.isDefault) : []
        let responses = (successes + fallback).sorted { $0.status < $1.status }
        if responses.isEmpty,
            !operation.responses.contains(where: { $0.status.hasPrefix("3") || $0.status.hasPrefix("1") })
        {
            reader.report(
                .note, .response, "no response of a success is described; the body is ignored", operation.node)
        }
        for response in operation.responses where response.status.hasPrefix("3") || response.status.hasPrefix("1") {
            let message = "the response \(response.status) is not an output: redirects are followed, others fail"
            reader.report(.note, .response, message, response.node)
        }
        var cases: [RequestModel.OutputCase] = []
        var accepted: [String] = []
        for response in responses {
            let output = output(of: response, isOnly: responses.count == 1, &request, &accepted, owner)
            cases.append(RequestModel.OutputCase(status: response.status, name: response.caseName, output: output))
        }
        request.output = combined(cases)
        let isDefault = accepted.isEmpty || accepted == ["application/json"]
        request.accept = isDefault ? nil : accepted.joined(separator: ", ")
        if request.isOnlyStream { request.streamAccept = nil }
    }

    /// Returns the header fields of the successful responses of an operation. None if all of them are text, which
    /// `HeaderFields` returns as well.
    func responseFields(of operation: Operation, _ owner: Declaration.Owner) -> [RequestModel.ResponseField] {
        var known: Set<String> = []
        let headers = operation.responses.filter(\.isSuccess).flatMap(\.headers)
            .filter { known.insert($0.name.lowercased()).inserted }
        var scope = NameScope(reserved: ["fields"])
        let fields = headers.map { header in
            let name = scope.unique(SwiftName.member(header.name))
            return RequestModel.ResponseField(header: header, type: type(of: header, owner), name: name)
        }
        return fields.contains { $0.type != .string } ? fields : []
    }

    private func type(of header: Header, _ owner: Declaration.Owner) -> SwiftType {
        guard let schema = header.schema else { return .string }
        switch types.resolver.resolveReferences(schema) {
        case .enumeration, .scalar(.custom): return types.use(schema, named: header.name, in: owner).type
        case _ where types.resolver.customType(of: schema) != nil:
            return types.use(schema, named: header.name, in: owner).type
        case .scalar(let scalar): return SwiftType(scalar)
        default: return .string
        }
    }

    private func combined(_ cases: [RequestModel.OutputCase]) -> RequestModel.Output {
        let distinct = Set(cases.map(\.output))
        let values = distinct.subtracting([.void])
        guard let value = values.first else { return .void }
        guard values.count == 1 else { return .cases(cases) }
        let isOptional = distinct.count > 1
        switch value {
        case .void: return .void
        case .value(let type): return isOptional ? .optional(type) : .value(type)
        case .text: return isOptional ? .cases(cases) : .text
        case .data: return isOptional ? .cases(cases) : .data
        }
    }

    private func output(
        of response: Response, isOnly: Bool, _ request: inout RequestModel, _ accepted: inout [String],
        _ owner: Declaration.Owner
    ) -> RequestModel.CaseOutput {
        let operation = request.operation
        for type in response.headTypes where !accepted.contains(type) { accepted.append(type) }
        let plain = response.content.filter { !operation.isSequence($0) }
        addStream(of: response, isOnly: plain.isEmpty, &request, &accepted, owner)
        guard
            let content = preferred(plain) ?? plain.first(where: \.isJSON) ?? plain.first(where: \.isText)
                ?? plain.first
        else { return .void }
        if plain.count > 1 {
            let others = plain.map(\.fullType).filter { $0 != content.fullType }.joined(separator: ", ")
            let message = "the response is read as \(content.fullType), not as \(others)"
            reader.report(.note, .response, message, response.node)
        }
        if !accepted.contains(content.fullType) { accepted.append(content.fullType) }
        let shape = content.schema.map { types.resolver.resolveReferences($0) }
        if types.resolver.isJSON(content) {
            guard let schema = content.schema else { return .value(.json) }
            let use = types.use(schema, named: response.typeName(isOnly: isOnly), in: owner)
            if use.type == .data, !content.isJSON { return .data }
            return .value(use.isNullable && use.type != .json ? .optional(use.type) : use.type)
        }
        if content.isText { return .text }
        if content.isXML {
            reader.report(.warning, .unsupported, "XML is not decoded; the output is the bytes", content.node)
        }
        if let schema = content.schema, shape?.isStructured == true {
            reader.report(.note, .response, "the output is the bytes", schema.node)
        }
        request.stream = request.stream ?? .bytes
        return .data
    }

    /// Adds the stream of a response: of events, or else of lines or parts.
    private func addStream(
        of response: Response, isOnly: Bool, _ request: inout RequestModel, _ accepted: inout [String],
        _ owner: Declaration.Owner
    ) {
        let streams = request.operation.sequences(of: response)
        guard let content = preferred(streams) ?? streams.first(where: \.isEvents) ?? streams.first else { return }
        // The responses are sorted, so this is the one with the lowest status.
        if let known = request.streamAccept {
            if known != content.fullType {
                let message = "only the stream \(known) of another response is read, not \(content.fullType)"
                reader.report(.warning, .unsupported, message, content.node)
            }
            return
        }
        if streams.count > 1 {
            let others = streams.map(\.fullType).filter { $0 != content.fullType }.joined(separator: ", ")
            let message = "the stream is read as \(content.fullType), not as \(others)"
            reader.report(.note, .response, message, response.node)
        }
        request.streamAccept = content.fullType
        if isOnly, !accepted.contains(content.fullType) { accepted.append(content.fullType) }
        if content.isMultipart {
            request.stream = .parts(parts(of: content, owner))
            return
        }
        let item = types.resolver.item(of: content) ?? content.schema
        let schema = content.isEvents ? item.flatMap { dataSchema(ofEvents: $0) } : item
        let type = schema.map { types.use($0, named: "event", in: owner).type }
        request.stream = content.isEvents ? .events(type) : .lines(type ?? .json)
    }

    /// The parts of a multipart response, which are properties of its schema. An array is several parts of one name.
    private func parts(of content: MediaType, _ owner: Declaration.Owner) -> [RequestModel.ResponsePart] {
        guard case .object(let object)? = content.schema.map({ types.resolver.resolveReferences($0) }) else {
            return []
        }
        return object.properties.map { property in
            var schema = property.schema
            if case .array(let element?) = types.resolver.resolveReferences(schema) { schema = element }
            let shape = types.resolver.resolveReferences(schema)
            let usual =
                shape.isStructured ? "application/json" : shape.isBinary ? "application/octet-stream" : "text/plain"
            let mediaType = content.encodings[property.name]?.contentType ?? property.schema.contentMediaType ?? usual
            return RequestModel.ResponsePart(
                name: property.name, mediaType: mediaType, schema: schema,
                type: MediaType.isJSON(mediaType) ? types.use(schema, named: property.name, in: owner).type : nil)
        }
    }

    /// The schema of the data of server-sent events, if that is JSON of one type. The schema of an event describes its
    /// data or, with names such as `event` and `data`, its fields.
    private func dataSchema(ofEvents schema: Schema) -> Schema? {
        switch types.resolver.resolveReferences(schema) {
        case .object(let object):
            guard let data = object.eventData else { return schema }
            let target = reader.schemas.target(of: data) ?? data
            return target["contentSchema"].map { reader.schemas[$0] }
                ?? (types.resolver.resolveReferences(data).isText ? nil : data)
        case .union(let union):
            let areEvents = union.branches.allSatisfy { branch in
                guard case .object(let object) = types.resolver.resolveReferences(branch.schema) else { return false }
                return object.eventData != nil
            }
            guard areEvents else { return schema }
            reader.report(.note, .response, "the data of the events differs, and is not decoded", schema.node)
            return nil
        case let shape: return shape.isText ? nil : schema
        }
    }
}

extension TypeBuilder {
    /// The Boolean property `stream` of a body, if the response is JSON or a stream by its value. A note reports one
    /// that the functions of the request do not set: a part of a form, or a property of an optional body or of a union.
    func streamFlag(of request: RequestModel) -> String? {
        guard case .events? = request.stream, !request.isOnlyStream else { return nil }
        if let body = request.bodyParameter {
            guard hasStreamFlag(body.type) else { return nil }
            if case .json? = request.body, body.isRequired, case .declared(let id) = body.type, structure(id) != nil {
                return "stream"
            }
        } else if !request.parameters.contains(where: { $0.isPart && $0.jsonName == "stream" && isBool($0.type) }) {
            return nil
        }
        let message = "`startStream` does not set \"stream\", which the caller has to set"
        reader.report(.note, .body, message, request.operation.body?.node ?? request.operation.node)
        return nil
    }

    private func isBool(_ type: SwiftType) -> Bool { aliased(type) == .bool }

    /// Whether an object, or one of a union, has the Boolean property `stream`.
    private func hasStreamFlag(_ type: SwiftType) -> Bool {
        switch aliased(type) {
        case .optional(let value), .nullable(let value): return hasStreamFlag(value)
        case .declared(let id):
            if let structure = structure(id) {
                return structure.properties.contains { $0.jsonName == "stream" && $0.type == .bool }
            }
            guard case .union(let union) = declarations[id].content else { return false }
            let objects = union.cases.compactMap { item -> Int? in
                if case .declared(let id) = aliased(item.type), structure(id) != nil { id } else { nil }
            }
            return objects.contains { hasStreamFlag(.declared($0)) }
        default: return false
        }
    }
}

extension ObjectShape {
    /// The schema of an event's data, if these are the fields of a server-sent event.
    fileprivate var eventData: Schema? {
        let fields: Set<String> = ["data", "event", "id", "retry"]
        guard properties.allSatisfy({ fields.contains($0.name) }) else { return nil }
        return properties.first { $0.name == "data" }?.schema
    }
}

extension Shape {
    /// Whether a value is a text, or can be one.
    fileprivate var isText: Bool {
        switch self {
        case .any: true
        case .scalar(let scalar): scalar.kind == .string
        case .enumeration(let list): list.kind == .string
        case .null, .array, .dictionary, .object, .union, .reference: false
        }
    }
}

extension Response {
    /// The name of the type of an inline schema.
    fileprivate func typeName(isOnly: Bool) -> String { isOnly ? "response" : "\(caseName)-response" }
}
