/// Writes the declarations of types.
struct TypeWriter {
    let client: ClientModel
    let access: String
    /// The declarations within each owner, in the order in which they are written.
    let nested: [Declaration.Owner: [Declaration]]

    init(_ client: ClientModel) {
        self.client = client
        access = client.options.accessText
        var nested: [Declaration.Owner: [Declaration]] = [:]
        for declaration in client.types.written.sorted(by: { $0.name < $1.name }) {
            nested[declaration.owner, default: []].append(declaration)
        }
        self.nested = nested
    }

    /// The declarations of the module.
    var top: [Declaration] { nested[.module] ?? [] }

    /// Writes the types that a declaration or a request contains, except those that ``writeExtensions(in:_:)`` writes.
    func writeNested(in owner: Declaration.Owner, _ writer: inout CodeWriter) {
        for declaration in nested[owner] ?? [] where !declaration.isInExtension {
            writer.line()
            write(declaration, &writer)
        }
    }

    /// Writes the extensions of the types that a declaration or a request contains.
    func writeExtensions(in owner: Declaration.Owner, _ writer: inout CodeWriter) {
        for declaration in nested[owner] ?? [] {
            if case .declaration(let id) = owner, declaration.isInExtension {
                writer.line()
                writer.block("nonisolated extension \(client.names.text(.declared(id), in: .module))") { writer in
                    write(declaration, &writer)
                }
            }
            writeExtensions(in: scope(declaration), &writer)
        }
    }

    func write(_ declaration: Declaration, _ writer: inout CodeWriter) {
        writer.documentation(declaration.documentation)
        if declaration.isDeprecated, declaration.documentation.isEmpty { writer.documentation("Deprecated.") }
        switch declaration.content {
        case .pending: break
        case .structure(let structure): write(structure, of: declaration, &writer)
        case .enumeration(let list):
            client.options.closed.contains(declaration.node.pointer) && list.kind == .string
                ? writeClosed(list, of: declaration, &writer) : write(list, of: declaration, &writer)
        case .union(let union) where union.isCombined: writeCombined(union, of: declaration, &writer)
        case .union(let union): write(union, of: declaration, &writer)
        case .errors(let documents): write(documents, of: declaration, &writer)
        case .alias(let type):
            let text = client.names.text(type, in: declaration.owner)
            writer.line("\(access)typealias \(declaration.name) = \(text)")
        }
    }

    func scope(_ declaration: Declaration) -> Declaration.Owner { .declaration(declaration.id) }

    /// `nonisolated` for types of a module; within others it is inherited.
    func isolation(_ declaration: Declaration) -> String { declaration.owner == .module ? "nonisolated " : "" }

    // MARK: Structs

    private func write(_ structure: Declaration.Structure, of declaration: Declaration, _ writer: inout CodeWriter) {
        let scope = scope(declaration)
        writer.block("\(access)\(isolation(declaration))struct \(declaration.name): Codable, Hashable, Sendable") {
            writer in
            for property in structure.properties {
                write(property, type(of: property, declaration, scope), &writer)
            }
            if let additional = structure.additional {
                writer.documentation("The members that are not among the properties.")
                writer.line("\(access)var additional: [String: \(client.names.text(additional, in: scope))]")
            }
            writeInitializer(structure, of: declaration, &writer)
            if !structure.properties.isEmpty { writeKeys(structure, &writer) }
            if structure.additional != nil { writeCoding(structure, of: declaration, &writer) }
            writeNested(in: scope, &writer)
        }
    }

    private func write(_ property: Declaration.Property, _ type: String, _ writer: inout CodeWriter) {
        writer.documentation(property.documentation)
        guard property.isIndirect else { return writer.line("\(access)var \(property.name): \(type)") }
        let stored = property.storedName
        writer.block("\(access)var \(property.name): \(type)") { writer in
            writer.line("get { \(stored).value }")
            writer.line("set { \(stored).value = newValue }")
        }
        writer.line("private var \(stored): Indirect<\(type)>")
    }

    /// The text of the type of a property.
    func type(of property: Declaration.Property, _ declaration: Declaration, _ scope: Declaration.Owner) -> String {
        client.names.text(property.type(in: declaration), in: scope)
    }

    private func writeInitializer(
        _ structure: Declaration.Structure, of declaration: Declaration, _ writer: inout CodeWriter
    ) {
        let scope = scope(declaration)
        var required: [String] = []
        var optional: [String] = []
        for property in structure.properties {
            let type = type(of: property, declaration, scope)
            if let constant = property.constant, !property.isNullable, property.isTag || !type.hasSuffix("?") {
                optional.append("\(property.name): \(type) = \(literal(of: constant, property.type))")
            } else if type.hasSuffix("?") {
                optional.append("\(property.name): \(type) = nil")
            } else {
                required.append("\(property.name): \(type)")
            }
        }
        if let additional = structure.additional {
            optional.append("additional: [String: \(client.names.text(additional, in: scope))] = [:]")
        }
        let parameters = required + optional
        guard !isSynthesized(structure, parameters) else { return }
        if !structure.properties.isEmpty || structure.additional != nil { writer.line() }
        guard !parameters.isEmpty else { return writer.line("\(access)init() {}") }
        writer.list("\(access)init(", parameters, ") {")
        for property in structure.properties {
            writer.line(
                property.isIndirect
                    ? "    \(property.storedName) = Indirect(\(property.name))"
                    : "    self.\(property.name) = \(property.name)")
        }
        if structure.additional != nil { writer.line("    self.additional = additional") }
        writer.line("}")
    }

    /// A constant as a literal, or as a value of an enumeration.
    private func literal(of constant: Node, _ type: SwiftType) -> String {
        guard case .declared(let id) = client.types.aliased(type),
            case .enumeration(let list) = client.types.declarations[id].content,
            client.types.declarations[id].custom == nil,
            let index = list.values.firstIndex(where: { $0.node === constant })
        else { return constant.swiftLiteral }
        return ".\(Naming.names(of: list, in: client.types.declarations[id].name)[index])"
    }

    /// Whether the compiler's own initializer has the same parameters in the same order.
    private func isSynthesized(_ structure: Declaration.Structure, _ parameters: [String]) -> Bool {
        guard access.isEmpty, structure.additional == nil else { return false }
        return zip(structure.properties, parameters).allSatisfy { property, parameter in
            !property.isIndirect && parameter.hasPrefix("\(property.name): ")
                && (!parameter.contains(" = ") || parameter.hasSuffix("? = nil"))
        }
    }

    private func writeKeys(_ structure: Declaration.Structure, _ writer: inout CodeWriter) {
        writer.line()
        let list = structure.additional == nil ? "" : ", CaseIterable"
        writer.block("private enum CodingKeys: String, CodingKey\(list)") { writer in
            // Synthesized code encodes the members in this order.
            let renamed = structure.properties.filter { $0.storedName.bare != $0.jsonName }
            func write(_ property: Declaration.Property) {
                writer.line("case \(property.storedName) = \(property.jsonName.swiftLiteral)")
            }
            renamed.filter(\.isDiscriminator).forEach(write)
            let same = structure.encoded.filter { $0.storedName.bare == $0.jsonName }
            writer.repeated("case", same.map(\.storedName))
            renamed.filter { !$0.isDiscriminator }.forEach(write)
        }
    }

    /// Writes the coding of a struct with additional members, which cannot be synthesized.
    private func writeCoding(
        _ structure: Declaration.Structure, of declaration: Declaration, _ writer: inout CodeWriter
    ) {
        let scope = scope(declaration)
        writer.line()
        writer.block("\(access)init(from decoder: any Decoder) throws") { writer in
            if !structure.properties.isEmpty {
                writer.line("let container = try decoder.container(keyedBy: CodingKeys.self)")
            }
            for property in structure.properties {
                let type = type(of: property, declaration, scope)
                let key = ".\(property.storedName)"
                if property.isIndirect {
                    writer.line("\(property.storedName) = try container.decode(Indirect<\(type)>.self, forKey: \(key))")
                } else if type.hasSuffix("?") {
                    writer.line(
                        "self.\(property.name) = try container.decodeIfPresent(\(type.dropLast()).self, forKey: \(key))"
                    )
                } else {
                    writer.line("self.\(property.name) = try container.decode(\(type).self, forKey: \(key))")
                }
            }
            let keys = structure.properties.isEmpty ? "" : "besides: CodingKeys.allCases"
            writer.line("additional = try decoder.members(\(keys))")
        }
        writer.line()
        writer.block("\(access)func encode(to encoder: any Encoder) throws") { writer in
            if !structure.properties.isEmpty {
                writer.line("var container = encoder.container(keyedBy: CodingKeys.self)")
            }
            for property in structure.encoded {
                let isOptional = !property.isIndirect && type(of: property, declaration, scope).hasSuffix("?")
                let call = isOptional ? "encodeIfPresent" : "encode"
                writer.line("try container.\(call)(self.\(property.storedName), forKey: .\(property.storedName))")
            }
            writer.line("try encoder.encode(members: additional)")
        }
    }

    // MARK: Enumerations

    private func write(_ list: Enumeration, of declaration: Declaration, _ writer: inout CodeWriter) {
        let raw = list.kind == .string ? "String" : list.kind == .integer ? "Int" : "JSONValue"
        writer.block("\(access)\(isolation(declaration))struct \(declaration.name): OpenEnum") { writer in
            writer.line("\(access)let rawValue: \(raw)")
            writer.line()
            // The initializer of an internal type is synthesized.
            if !access.isEmpty {
                writer.short("\(access)init(rawValue: \(raw))", "self.rawValue = rawValue")
                writer.line()
            }
            for (name, value) in zip(Naming.names(of: list, in: declaration.name), list.values) {
                writer.documentation(value.description.map(Documentation.paragraphs) ?? [])
                writer.line(
                    "\(access)static let \(name) = \(declaration.name)(rawValue: \(value.node.swiftLiteral))")
            }
        }
    }

    /// Writes an enum that fails for other values.
    private func writeClosed(_ list: Enumeration, of declaration: Declaration, _ writer: inout CodeWriter) {
        let head = "\(access)\(isolation(declaration))enum \(declaration.name): String, ClosedEnum"
        writer.block(head) { writer in
            for (name, value) in zip(Naming.names(of: list, in: declaration.name), list.values) {
                writer.documentation(value.description.map(Documentation.paragraphs) ?? [])
                let text = value.node.text ?? ""
                writer.line(name.bare == text ? "case \(name)" : "case \(name) = \(text.swiftLiteral)")
            }
        }
    }
}
