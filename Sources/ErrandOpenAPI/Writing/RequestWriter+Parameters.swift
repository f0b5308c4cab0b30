extension RequestWriter {
    /// Writes the path as a literal with its parameters, or as several literals if it is too long for a line.
    func writePath(_ request: RequestModel, _ target: String, _ writer: inout CodeWriter) {
        let segments = segments(of: request)
        let whole = "\(target) = \"\(segments.joined())\""
        guard writer.margin.count + whole.count > CodeWriter.width else { return writer.line(whole) }
        var isFirst = true
        var current = ""
        for segment in segments + [nil] {
            if let segment, current.isEmpty || writer.margin.count + current.count + segment.count < 90 {
                current += segment
                continue
            }
            writer.line(isFirst ? "\(target) = \"\(current)\"" : "\(target) = \(target).appending(\"\(current)\")")
            isFirst = false
            current = segment ?? ""
        }
    }

    /// The segments of the path, each with the slash before it.
    private func segments(of request: RequestModel) -> [String] {
        var segments = [""]
        let parameters = request.pathParameters
        for piece in PathTemplate(request.path).pieces {
            switch piece {
            case .text(let text):
                let parts = text.split(separator: "/", omittingEmptySubsequences: false)
                for (index, part) in parts.enumerated() {
                    if index > 0 { segments.append("/") }
                    segments[segments.count - 1] += String(part).swiftLiteral.dropFirst().dropLast()
                }
            case .name(let name):
                guard let parameter = parameters[name], case .path(let style, let explode) = parameter.purpose else {
                    continue
                }
                segments[segments.count - 1] += "\\(\(interpolation(parameter, style, explode)))"
            }
        }
        return segments
    }

    private func interpolation(
        _ parameter: RequestModel.Parameter, _ style: Parameter.Style, _ explode: Bool
    ) -> String {
        // A name with other characters is of no use in a log, and makes the literal longer than a line.
        let isPlain = parameter.jsonName.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        let placeholder = isPlain ? ", as: \(parameter.jsonName.swiftLiteral)" : ""
        if style == .simple, client.types.isSegment(parameter.type) { return parameter.name + placeholder }
        var text = "encoding: \(parameter.name)"
        if style != .simple || explode { text += ", style: .\(style.rawValue)" }
        if style != .simple { text += ", name: \(parameter.jsonName.swiftLiteral)" }
        return text + (explode ? ", explode: true" : "") + placeholder
    }

    /// Writes the statement that adds a parameter to the query or to the header fields.
    func write(
        _ parameter: RequestModel.Parameter, _ property: (String) -> String, _ writer: inout CodeWriter
    ) {
        let name = parameter.jsonName.swiftLiteral
        let isPlain = client.types.isPlain(parameter.type)
        switch parameter.purpose {
        case .path, .body, .part, .partHeader: break
        case .query(let style, let explode, let isReserved):
            let query = property("query")
            let isArray = client.types.isArray(parameter.type)
            // A query writes dates in whole seconds, and the encoder with a fraction if they have one.
            let isEncoded = !isPlain || client.types.hasDates(parameter.type)
            guard isEncoded || isArray && (!explode || style == .deepObject) else {
                let label = isReserved && !isArray ? "reserved: " : ""
                return writer.line("\(query).append(\(name), \(label)\(parameter.name))")
            }
            let styles = style == .form ? "" : ", style: .\(style.rawValue)"
            let exploded = explode || style == .deepObject ? "" : ", explode: false"
            writer.line("\(query).append(\(name), encoding: \(parameter.name)\(styles)\(exploded))")
        case .json(.query), .json(.querystring):
            writer.line("\(property("query")).append(\(name), json: \(parameter.name))")
        case .json(let location):
            let label = location == .cookie ? "cookie: " : ""
            writer.line("\(property("headers")).append(\(label)\(name), json: \(parameter.name))")
        case .header(let explode):
            let exploded = explode && !isPlain ? ", explode: true" : ""
            writer.line("\(property("headers")).append(\(name), encoding: \(parameter.name)\(exploded))")
        case .cookie(let style, let explode):
            let isText = isPlain && !client.types.isArray(parameter.type)
            let styles = (style == .cookie ? ", style: .cookie" : "") + (explode || isText ? "" : ", explode: false")
            writer.line("\(property("headers")).append(cookie: \(name), encoding: \(parameter.name)\(styles))")
        }
    }

    // MARK: Bodies

    /// Writes the statements that set the body.
    func write(
        _ body: RequestModel.Body, _ request: RequestModel, _ property: (String) -> String, _ writer: inout CodeWriter
    ) {
        if case .multipart = body { return writeForm(request, property, &writer) }
        var scope = NameScope(reserved: Set(request.parameters.map(\.name.bare)))
        let fields = scope.unique("fields")
        guard let parameter = request.bodyParameter else { return }
        let name = parameter.name
        let form = styles(of: body, parameter)
        let value: String =
            switch body {
            case .json("application/json"), .json("*/*"), .json("application/*"): ".json(\(name))"
            case .json(let type): ".encoded(\(name), type: \(type.swiftLiteral))"
            case .jsonLines(let type): ".jsonTexts(\(name), type: \(type.swiftLiteral))"
            case .form where form != nil: ".urlEncoded(\(fields))"
            case .form(.brackets): ".urlEncoded(URLQuery(deepObject: \(name)))"
            case .form: ".urlEncoded(URLQuery(encoding: \(name)))"
            case .text("text/plain"): ".text(\(name))"
            case .text(let type): ".data(Data(\(name).utf8), type: \(type.swiftLiteral))"
            case .binary(let type): ".upload(\(name), type: \(type.contains("*") ? "nil" : type.swiftLiteral))"
            case .multipart: ".empty"
            }
        let full = permitted(value, request)
        let target = property("body")
        if let form {
            func write(_ writer: inout CodeWriter) {
                self.write(form.styles, form.json, of: name, to: fields, &writer)
                writer.line("\(target) = \(full)")
            }
            if parameter.isRequired { write(&writer) } else { writer.block("if let \(name)", write) }
        } else if parameter.isRequired || parameter.constant != nil {
            writer.line("\(target) = \(full)")
        } else {
            writer.short("if let \(name)", "\(target) = \(full)")
        }
    }

    /// The styles of the fields of a form that the encoder of JSON encodes: those that have them, and those with dates.
    private func styles(
        of body: RequestModel.Body, _ parameter: RequestModel.Parameter
    ) -> (styles: [(name: String, style: Parameter.Style)], json: [String])? {
        switch body {
        case .form(.styles(let styles, let json)): (styles, json)
        case .form(.repeated): client.types.hasDates(parameter.type) ? ([], []) : nil
        default: nil
        }
    }

    /// A body, which says that it is intended if the method has usually none.
    private func permitted(_ body: String, _ request: RequestModel) -> String {
        guard ["GET", "HEAD", "DELETE", "TRACE"].contains(request.operation.method) else { return body }
        // With a dot alone, `json` would be looked up in the type of the expression before `withAnyMethod()`.
        return "RequestBody\(body).withAnyMethod()"
    }

    /// Writes a query with each field in its style.
    private func write(
        _ styles: [(name: String, style: Parameter.Style)], _ json: [String], of name: String, to fields: String,
        _ writer: inout CodeWriter
    ) {
        let texts = styles.map { "\($0.name.swiftLiteral): .\($0.style.rawValue)" }
        var items = ["encoding: \(name)", "styles: \(texts.isEmpty ? "[:]" : "[\(texts.joined(separator: ", "))]")"]
        if !json.isEmpty { items.append("json: [\(json.map(\.swiftLiteral).joined(separator: ", "))]") }
        writer.list("let \(fields) = URLQuery(", items, ")")
    }

    private func writePartHeader(
        _ parameter: RequestModel.Parameter, to headers: String, _ writer: inout CodeWriter
    ) {
        guard case .partHeader(let name, _, let explode, let isJSON) = parameter.purpose else { return }
        let exploded = explode && !isJSON && !client.types.isPlain(parameter.type) ? ", explode: true" : ""
        let label = isJSON ? "json" : "encoding"
        writer.line("\(headers).append(\(name.swiftLiteral), \(label): \(parameter.name)\(exploded))")
    }

    private func writeForm(_ request: RequestModel, _ property: (String) -> String, _ writer: inout CodeWriter) {
        var scope = NameScope(reserved: Set(request.parameters.map(\.name.bare)))
        let form = scope.unique("form")
        var needsPart = request.operation.body?.isRequired == false
        writer.line("var \(form) = MultipartForm()")
        for parameter in request.parameters {
            guard case .part(let types, var isText) = parameter.purpose else { continue }
            let type = types.count == 1 ? types[0] : nil
            let isUpload = [.upload, .array(.upload)].contains(parameter.type)
            let isJSON = type.map(MediaType.isJSON) ?? false
            isText = isText && !isJSON
            needsPart = needsPart && (!parameter.isRequired)
            let isPlain = client.types.isPlain(parameter.type)
            let label = isUpload || isText && isPlain ? "" : isText ? "encoding: " : "json: "
            // The usual types of texts and of JSON are not written. What is sent as JSON has no other type.
            let isUsual = isText ? type == "text/plain" : !isUpload && (!isJSON || type == "application/json")
            var items = [parameter.jsonName.swiftLiteral, "\(label)\(parameter.name)"]
            if let type, !isUsual { items.append("type: \(type.swiftLiteral)") }
            if types.count > 1 { items.append("types: [\(types.map(\.swiftLiteral).joined(separator: ", "))]") }
            let fields = request.parameters.filter { $0.part == parameter.jsonName }
            if !fields.isEmpty {
                let headers = scope.unique(SwiftName.member("\(parameter.jsonName)-headers"))
                items.append("headers: \(headers)")
                writer.line("var \(headers) = HeaderFields()")
                for field in fields { writePartHeader(field, to: headers, &writer) }
            }
            writer.list("\(form).append(", items, ")")
        }
        let statement = "\(property("body")) = \(permitted(".multipart(\(form))", request))"
        guard needsPart else {
            writer.line(statement)
            return writeContentType(request, property, &writer)
        }
        writer.block("if !\(form).parts.isEmpty") { writer in
            writer.line(statement)
            writeContentType(request, property, &writer)
        }
    }

    /// Writes the statement that sets the media type of a form, to which the boundary of a multipart body is added when
    /// the request is built.
    private func writeContentType(
        _ request: RequestModel, _ property: (String) -> String, _ writer: inout CodeWriter
    ) {
        guard let type = request.contentType else { return }
        writer.line("\(property("headers"))[\"Content-Type\"] = \(type.swiftLiteral)")
    }
}
