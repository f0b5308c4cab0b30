import Errand

/// Checks requests against an operation of a document: parameters, and the body.
///
/// Parameters that are objects are not checked, nor are the parts of multipart bodies. Further query items and header
/// fields are allowed.
struct OperationCheck {
    private let document: StubDocument
    private let operation: DocumentOperation
    private let baseLength: Int
    private let schemas: SchemaCheck
    private let shape: SchemaShape

    /// - Parameter baseLength: The number of segments before the operation's path.
    init(_ document: StubDocument, _ operation: DocumentOperation, baseLength: Int) {
        self.document = document
        self.operation = operation
        self.baseLength = baseLength
        schemas = SchemaCheck(schemas: document.schemas)
        shape = SchemaShape(schemas: document.schemas)
    }

    /// Returns the first thing in which a request differs from the document; `nil` if it fits.
    func fault(of request: MockRequest) -> DocumentFault? {
        let path = OperationPath.segments(of: request.encodedPath.afterSegments(baseLength))
        let places = operation.path.parameters(of: path) ?? [:]
        for pointer in operation.parameters {
            guard let parameter = document.parameters[pointer] else { continue }
            let fault = fault(of: parameter, pointer, in: request, places)
            if let fault { return fault }
        }
        return operation.body.flatMap { pointer in
            document.bodies[pointer].flatMap { fault(of: request, $0, pointer) }
        }
    }

    // MARK: Parameters

    private func fault(
        of parameter: StubDocument.Parameter, _ pointer: String, in request: MockRequest, _ places: [String: Substring]
    ) -> DocumentFault? {
        let schema = parameter.schema ?? [:]
        guard let texts = ParameterTexts(parameter, in: request, places) else {
            // The members of an object are separate items. Null and an empty array are sent as nothing.
            guard parameter.required == true, !shape.takesEmptyArray(schema),
                !shape.kinds(of: schema).contains("object") || parameter.style == "deepObject",
                schema == [:] || schemas.fault(of: .null, schema, at: "", SchemaCheck.Subject(name: "")) != nil
            else { return nil }
            let message = "the request has no \(parameter.subject)"
            return DocumentFault(message: message, pointer: pointer, depth: 0)
        }
        let subject = SchemaCheck.Subject(name: "the \(parameter.subject)")
        let place = "\(pointer)/schema"
        if parameter.json == true {
            guard let value = JSONValue(document: Data((texts.whole ?? "").utf8)) else {
                return DocumentFault(message: "\(subject.name) is not JSON", pointer: pointer, depth: 0)
            }
            return schemas.fault(of: value, schema, at: place, subject)
        }
        return fault(of: texts, schema, at: place, subject)
    }

    /// Checks the texts of a parameter or of a form's field.
    private func fault(
        of texts: ParameterTexts, _ schema: JSONValue, at pointer: String, _ subject: SchemaCheck.Subject
    ) -> DocumentFault? {
        let kinds = shape.kinds(of: schema)
        if kinds.contains("object") { return nil }
        guard kinds.contains("array"), let (array, place) = shape.arraySchema(schema, at: pointer) else {
            return texts.whole.flatMap { fault(ofText: $0, schema, at: pointer, subject) }
        }
        for element in texts.elements {
            guard let items = array["items"],
                let fault = fault(ofText: element, items, at: "\(place)/items", subject)
            else { continue }
            // The text can also be a value without elements.
            let whole = kinds.count > 1 ? texts.whole : nil
            if let whole, self.fault(ofText: whole, schema, at: pointer, subject) == nil { return nil }
            return fault
        }
        return nil
    }

    /// Checks a text that can stand for a number, a Boolean or a string.
    private func fault(
        ofText text: String, _ schema: JSONValue, at pointer: String, _ subject: SchemaCheck.Subject
    ) -> DocumentFault? {
        var values: [JSONValue] = [.string(text)]
        if let number = JSONNumber(text) { values.append(.number(number)) }
        if text == "true" || text == "false" { values.append(.bool(text == "true")) }
        if text.isEmpty || text == "null" { values.append(.null) }
        var fault: DocumentFault?
        for value in values {
            guard let next = schemas.fault(of: value, schema, at: pointer, subject) else { return nil }
            // A number that is too large is a better reason than a text that is not a number.
            if fault?.pointer.hasSuffix("/type") ?? true { fault = next }
        }
        return fault
    }

    // MARK: Body

    private func fault(of request: MockRequest, _ body: StubDocument.Body, _ pointer: String) -> DocumentFault? {
        // An empty file is a body too.
        guard !request.body.isEmpty || request.headers.contentType != nil else {
            guard body.required == true else { return nil }
            return DocumentFault(message: "the request has no body", pointer: pointer, depth: 0)
        }
        let type = request.headers.contentType?.essence ?? body.content.first?.type ?? ""
        guard let content = body.content.first(where: { $0.accepts(type) }) else {
            return DocumentFault(
                message: "the body is \(type), which is not one of its media types", pointer: "\(pointer)/content",
                depth: 0)
        }
        guard let schema = content.schema else { return nil }
        let subject = SchemaCheck.Subject(name: "the body")
        let origin = content.pointer ?? "\(pointer)/content/\(content.type.pointerToken)"
        let place = "\(origin)/schema"
        if type == "application/x-www-form-urlencoded" {
            return fault(ofForm: request.formFields, schema, at: place, subject)
        }
        guard type.hasSuffix("/json") || type.hasSuffix("+json") else { return nil }
        guard let value = JSONValue(document: request.body) else {
            return DocumentFault(message: "the body is not JSON", pointer: origin, depth: 0)
        }
        return schemas.fault(of: value, schema, at: place, subject)
    }

    private func fault(
        ofForm fields: [URLQueryItem], _ schema: JSONValue, at pointer: String, _ subject: SchemaCheck.Subject
    ) -> DocumentFault? {
        let (schema, pointer) = shape.resolved(schema, at: pointer)
        let properties = schema["properties"]?.object ?? [:]
        let readOnly = shape.members(of: schema).readOnly
        for name in (schema["required"]?.array ?? []).compactMap(\.string)
        where !fields.contains(where: { $0.name == name || $0.name.hasPrefix("\(name)[") }) {
            if readOnly.contains(name) || properties[name].map(shape.takesEmptyArray) == true { continue }
            let message = "\(subject.text) has no \"\(name)\""
            return DocumentFault(message: message, pointer: "\(pointer)/required", depth: 0)
        }
        for (name, property) in properties.sorted(by: { $0.key < $1.key }) {
            let texts = fields.filter { $0.name == name }.map { $0.value ?? "" }
            // How a field writes the elements of an array is not known here.
            guard texts.count == 1, !shape.kinds(of: property).contains("array") else { continue }
            let place = "\(pointer)/properties/\(name.pointerToken)"
            if let fault = fault(of: ParameterTexts(texts[0]), property, at: place, subject.member(name)) {
                return fault
            }
        }
        return nil
    }
}

extension StubDocument.Parameter {
    /// The parameter in words: `query item "limit"`.
    fileprivate var subject: String {
        switch self.in {
        case "path": "parameter \"\(name)\" of the path"
        case "query": "query item \"\(name)\""
        case "header": "header field \(name)"
        default: "cookie \"\(name)\""
        }
    }
}

extension StubDocument.Body.Content {
    /// Whether a body of a media type is one of this content. A media type without a parameter stands for all of them.
    fileprivate func accepts(_ essence: String) -> Bool {
        if type == "*/*" || type == essence { return true }
        return type.hasSuffix("/*") && essence.hasPrefix(type.dropLast())
    }
}
