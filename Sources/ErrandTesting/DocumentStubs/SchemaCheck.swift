import Errand

/// The difference between a value and the document: what is wrong, and the place in the document that demands it.
struct DocumentFault: CustomStringConvertible {
    /// What is wrong: `the body's /title must be a string, not an integer`. It never has a value.
    var message: String
    /// `#/components/schemas/Post/properties/title/type`.
    let pointer: String
    /// The number of members and elements around the faulty value.
    let depth: Int

    var description: String { "\(message) (\(pointer))" }
}

/// Checks values against the schemas of a document: kinds, required members, enumerations and limits.
///
/// Formats and patterns are not checked. `oneOf` is checked like `anyOf`, because published documents describe
/// alternatives that overlap.
struct SchemaCheck {
    let schemas: [String: JSONValue]

    /// A value with its place in the document and in the request.
    struct Subject {
        /// What the value is a part of: `the body`.
        let name: String
        /// The members that lead to the value.
        var path: [String] = []

        var text: String { path.isEmpty ? name : "\(name)'s /\(path.joined(separator: "/"))" }

        func member(_ name: String) -> Subject { Subject(name: self.name, path: path + [name]) }
    }

    /// Returns what is wrong with a value; `nil` if it fits its schema, or if the check has too many steps.
    ///
    /// - Parameter pointer: The place of the schema.
    func fault(of value: JSONValue, _ schema: JSONValue, at pointer: String, _ subject: Subject) -> DocumentFault? {
        var walk = SchemaWalk(shape: SchemaShape(schemas: schemas))
        return walk.fault(of: value, schema, at: pointer, subject, others: SchemaShape.Members(), depth: 0)
    }
}

/// One check of a value. Alternatives can lead to the same schema for the same part of the value any number of times,
/// so that the walk remembers its results.
private struct SchemaWalk {
    typealias Subject = SchemaCheck.Subject
    typealias Members = SchemaShape.Members

    /// A schema that others refer to, for a part of the value.
    private struct Visit: Hashable {
        let reference: String
        let path: [String]
        let others: Members
    }

    let shape: SchemaShape
    /// The results; `nil` for a value that fits, and for a visit that has not ended.
    private var visits: [Visit: DocumentFault?] = [:]
    /// The members that are declared beside parts of schemas, by the places of the parts.
    private var besides: [String: Members] = [:]
    private var steps = 0

    /// The maximum number of schemas around one value.
    private static let maximumDepth = 100
    /// The maximum number of schemas that are compared with parts of the value, after which it passes.
    private static let maximumSteps = 100_000

    init(shape: SchemaShape) { self.shape = shape }

    /// Returns what is wrong with a value; `nil` if it fits its schema.
    ///
    /// - Parameter others: The members that the schemas beside this one declare for the same value.
    mutating func fault(
        of value: JSONValue, _ schema: JSONValue, at pointer: String, _ subject: Subject, others: Members, depth: Int
    ) -> DocumentFault? {
        steps += 1
        guard steps <= Self.maximumSteps else { return nil }
        guard let keys = schema.object, depth < Self.maximumDepth else { return nil }
        if value.isNull, schema.allowsNull { return nil }
        func fault(_ text: String, _ key: String) -> DocumentFault {
            DocumentFault(
                message: "\(subject.text) \(text)", pointer: "\(pointer)/\(key)", depth: subject.path.count)
        }
        if let reference = keys["$ref"]?.string, let target = shape.schemas[reference] {
            let others = self.others(than: "$ref", of: value, schema, at: pointer, others)
            let visit = Visit(reference: reference, path: subject.path, others: others)
            if let known = visits[visit] {
                if let known { return known }
            } else {
                visits[visit] = .some(nil)
                let fault = self.fault(of: value, target, at: reference, subject, others: others, depth: depth + 1)
                visits[visit] = .some(fault)
                if let fault { return fault }
            }
        }
        let kinds = schema.kinds
        if !kinds.isEmpty, !kinds.contains(where: value.isOf) {
            let wanted = kinds.map { JSONValue.names[$0] ?? $0 }.joined(separator: " or ")
            return fault("must be \(wanted), not \(value.kindName)", "type")
        }
        if let values = keys["enum"]?.array, !values.contains(value) {
            return fault("is not one of the values of its enumeration", "enum")
        }
        for (index, part) in (keys["allOf"]?.array ?? []).enumerated() {
            let place = "\(pointer)/allOf/\(index)"
            let others = self.others(than: "allOf/\(index)", of: value, schema, at: pointer, others)
            if let fault = self.fault(of: value, part, at: place, subject, others: others, depth: depth + 1) {
                return fault
            }
        }
        for key in ["oneOf", "anyOf"] {
            guard let branches = keys[key]?.array, !branches.isEmpty else { continue }
            let others = self.others(than: key, of: value, schema, at: pointer, others)
            var faults: [DocumentFault] = []
            for (index, branch) in branches.enumerated() {
                let place = "\(pointer)/\(key)/\(index)"
                let fault = self.fault(of: value, branch, at: place, subject, others: others, depth: depth + 1)
                guard let fault else { break }
                faults.append(fault)
            }
            guard faults.count == branches.count else { continue }
            // The branch whose value is right for the most part is probably meant.
            let deepest = faults.max { $0.depth < $1.depth }
            if let deepest, deepest.depth > subject.path.count || branches.count == 1 { return deepest }
            return fault("fits none of the \(branches.count) schemas", key)
        }
        switch value {
        case .null, .bool: return nil
        case .number(let number): return limit(of: number.double ?? 0, keys).map { fault($0.text, $0.key) }
        case .string(let text):
            return limit(of: text.unicodeScalars.count, keys, ["minLength", "maxLength"], "characters")
                .map { fault($0.text, $0.key) }
        case .array(let elements):
            if let limit = limit(of: elements.count, keys, ["minItems", "maxItems"], "elements") {
                return fault(limit.text, limit.key)
            }
            guard let items = keys["items"] else { return nil }
            for (index, element) in elements.enumerated() {
                let place = subject.member("\(index)")
                let fault = self.fault(
                    of: element, items, at: "\(pointer)/items", place, others: Members(), depth: depth + 1)
                if let fault { return fault }
            }
            return nil
        case .object(let members):
            var others = others
            if keys["required"] != nil || keys["additionalProperties"] != nil {
                others = self.others(than: "properties", of: value, schema, at: pointer, others)
            }
            return self.fault(ofMembers: members, keys, at: pointer, subject, others: others, depth: depth)
        }
    }

    /// The members that are declared beside a part of a schema: by its other parts, and beside the schema.
    ///
    /// - Parameter part: `properties`, `$ref`, `allOf/0`, `oneOf` or `anyOf`.
    private mutating func others(
        than part: String, of value: JSONValue, _ schema: JSONValue, at pointer: String, _ others: Members
    ) -> Members {
        guard value.object != nil, schema.object?.count != 1 || part.hasPrefix("allOf/") else { return others }
        let place = "\(pointer)/\(part)"
        let found = besides[place] ?? shape.members(beside: part, in: schema)
        besides[place] = found
        return found.union(others)
    }

    private mutating func fault(
        ofMembers members: JSONValue.Object, _ keys: JSONValue.Object, at pointer: String, _ subject: Subject,
        others: Members, depth: Int
    ) -> DocumentFault? {
        let properties = keys["properties"]?.object ?? [:]
        let readOnly =
            keys["required"] == nil ? [] : others.readOnly.union(shape.ownMembers(of: .object(keys)).readOnly)
        func fault(_ text: String, _ key: String) -> DocumentFault {
            DocumentFault(
                message: "\(subject.text) \(text)", pointer: "\(pointer)/\(key)", depth: subject.path.count)
        }
        for name in (keys["required"]?.array ?? []).compactMap(\.string) where members[name] == nil {
            // Only the server sends it.
            if readOnly.contains(name) { continue }
            return fault("has no \"\(name)\"", "required")
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            let place: (schema: JSONValue, pointer: String)
            if let property = properties[name] {
                place = (property, "\(pointer)/properties/\(name.pointerToken)")
            } else if let additional = keys["additionalProperties"], !others.names.contains(name) {
                guard additional != false else {
                    return fault("has the member \"\(name)\", which is not allowed", "additionalProperties")
                }
                place = (additional, "\(pointer)/additionalProperties")
            } else {
                continue
            }
            let member = subject.member(name)
            let fault = self.fault(
                of: value, place.schema, at: place.pointer, member, others: Members(), depth: depth + 1)
            if let fault { return fault }
        }
        return nil
    }

    // MARK: Limits

    private typealias Limit = (text: String, key: String)

    private func limit(of number: Double, _ keys: JSONValue.Object) -> Limit? {
        // In OpenAPI 3.0, the exclusive limits are Booleans beside the others.
        if let minimum = keys["minimum"]?.double {
            let isExclusive = keys["exclusiveMinimum"] == true
            if number < minimum || isExclusive && number == minimum { return ("is too small", "minimum") }
        }
        if let maximum = keys["maximum"]?.double {
            let isExclusive = keys["exclusiveMaximum"] == true
            if number > maximum || isExclusive && number == maximum { return ("is too large", "maximum") }
        }
        if let minimum = keys["exclusiveMinimum"]?.double, number <= minimum {
            return ("is too small", "exclusiveMinimum")
        }
        if let maximum = keys["exclusiveMaximum"]?.double, number >= maximum {
            return ("is too large", "exclusiveMaximum")
        }
        return nil
    }

    private func limit(of count: Int, _ keys: JSONValue.Object, _ names: [String], _ unit: String) -> Limit? {
        if let minimum = keys[names[0]]?.int, count < minimum { return ("has too few \(unit)", names[0]) }
        if let maximum = keys[names[1]]?.int, count > maximum { return ("has too many \(unit)", names[1]) }
        return nil
    }
}

extension JSONValue {
    fileprivate static let names = [
        "string": "a string", "integer": "an integer", "number": "a number", "boolean": "a Boolean",
        "array": "an array", "object": "an object", "null": "null",
    ]

    /// The kinds that this schema names in `type`.
    var kinds: [String] {
        let type = self["type"]
        return type?.string.map { [$0] } ?? type?.array?.compactMap(\.string) ?? []
    }

    /// Whether null is a value of this schema, beside its other keys.
    fileprivate var allowsNull: Bool { self["nullable"] == true || kinds.contains("null") }

    fileprivate func isOf(kind: String) -> Bool {
        switch self {
        case .null: kind == "null"
        case .bool: kind == "boolean"
        case .number(let number): kind == "number" || kind == "integer" && number.isIntegral
        case .string: kind == "string"
        case .array: kind == "array"
        case .object: kind == "object"
        }
    }

    fileprivate var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONNumber {
    /// Whether the number has no fraction.
    fileprivate var isIntegral: Bool { int != nil || double.map { $0 == $0.rounded() } ?? false }
}

extension String {
    /// This text as a token of a JSON pointer (RFC 6901).
    var pointerToken: String { replacing("~", with: "~0").replacing("/", with: "~1") }
}
