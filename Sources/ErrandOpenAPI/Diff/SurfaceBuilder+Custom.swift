extension SurfaceBuilder {
    /// Adds what the document says about the values of a custom type, whose code the generator does not write.
    mutating func add(_ custom: Declaration.Custom, of declaration: Declaration) {
        // The values of a format are those of its schemas, which are listed where they are used.
        guard declaration.schema != nil else { return }
        let values = Fact(label: "stands for", value: "`\(values(of: declaration, within: []))`")
        surface.add(
            "@custom\(declaration.node.pointer)",
            Surface.Item(
                name: custom.type.type, owner: nil, kind: .customType, node: declaration.node, facts: [values]))
    }

    /// What the formats with custom types in a type stand for, such as `String`; empty without one. The name of a
    /// custom type does not show it.
    func customValues(in type: SwiftType) -> [Fact] {
        let formats = type.declarations.map { client.types.declarations[$0] }
            .filter { $0.custom != nil && $0.schema == nil }
        guard !formats.isEmpty else { return [] }
        let values = formats.map { "`\(self.values(of: $0, within: []))`" }
        return [Fact(label: "stands for", value: values.joined(separator: " and "), rule: .replacement)]
    }

    /// Describes the values of a declaration: `{amount: String, currency: EUR or CHF}`.
    ///
    /// - Parameter outer: The declarations around this one. One that contains itself is only named.
    private func values(of declaration: Declaration, within outer: Set<Int>) -> String {
        guard !outer.contains(declaration.id) else { return declaration.wantedName }
        func text(_ type: SwiftType) -> String { values(of: type, within: outer.union([declaration.id])) }
        switch declaration.content {
        case .pending: return ""
        case .structure(let structure):
            let members = structure.properties.map { property in
                let isOptional = !property.isRequired || property.isNullable
                return "\(property.jsonName): \(text(property.type))\(isOptional ? "?" : "")"
            }
            let others = structure.additional.map { ["others: \(text($0))"] } ?? []
            return "{\((members + others).joined(separator: ", "))}"
        case .enumeration(let list): return list.values.map { Documentation.literal($0.node) }.joined(separator: " or ")
        case .union(let union): return union.cases.map { text($0.type) }.joined(separator: " or ")
        case .errors(let documents): return documents.map { text($0.type) }.joined(separator: " or ")
        case .alias(let type): return text(type)
        }
    }

    private func values(of type: SwiftType, within outer: Set<Int>) -> String {
        switch type {
        case .array(let element): return "[\(values(of: element, within: outer))]"
        case .dictionary(let value): return "[String: \(values(of: value, within: outer))]"
        case .optional(let value), .nullable(let value): return "\(values(of: value, within: outer))?"
        case .declared(let id):
            let declaration = client.types.declarations[id]
            // Generated types and custom types are compared on their own.
            let isNamed = declaration.isWritten || declaration.custom != nil
            return isNamed ? names.text(type).shown : values(of: declaration, within: outer)
        default: return names.text(type).shown
        }
    }
}
