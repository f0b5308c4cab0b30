extension TypeBuilder {
    /// Returns the type that a name stands for, or the type itself if it is not an alias. The schema of a custom type
    /// does not matter.
    ///
    /// All schemas must have been read, and the cycles of aliases ended. Each alias of a chain is followed once.
    func aliased(_ type: SwiftType) -> SwiftType {
        var type = type
        var chain: [Int] = []
        while case .declared(let id) = type, case .alias(let next) = declarations[id].content,
            declarations[id].custom == nil
        {
            if let known = aliasedTypes[id] {
                type = known
                break
            }
            chain.append(id)
            type = next
        }
        for id in chain { aliasedTypes[id] = type }
        return type
    }

    /// Whether values of a type are texts in a query, a header field or a form, or arrays of texts.
    func isPlain(_ type: SwiftType) -> Bool {
        switch aliased(type) {
        case .string, .bool, .int, .int64, .uint64, .double, .decimal, .date, .calendarDate, .uuid, .url: true
        case .array(let element): !isArray(element) && !element.isOptional && isPlain(element)
        case .optional(let value), .nullable(let value): isPlain(value)
        case .data, .json, .upload, .dictionary: false
        case .declared(let id): isPlainEnumeration(id)
        }
    }

    /// Whether the document describes the values of a custom type, or of an array of them, as texts or numbers.
    func isPlainCustom(_ type: SwiftType) -> Bool {
        switch aliased(type) {
        case .array(let element): return isPlainCustom(element)
        case .optional(let value), .nullable(let value): return isPlainCustom(value)
        case .declared(let id) where declarations[id].custom != nil:
            switch declarations[id].content {
            case .alias(let type): return isPlain(type) || isPlainCustom(type)
            case .enumeration(let list): return list.kind != .mixed
            default: return false
            }
        default: return false
        }
    }

    /// Whether a value of a type has dates in it, or can have them because the type is custom.
    func hasDates(_ type: SwiftType) -> Bool {
        var seen: Set<Int> = []
        var pending = [type]
        while let next = pending.popLast() {
            switch next {
            case .date: return true
            case .array(let value), .dictionary(let value), .optional(let value), .nullable(let value):
                pending.append(value)
            case .declared(let id):
                if declarations[id].custom != nil { return true }
                if seen.insert(id).inserted { pending += declarations[id].parts }
            default: break
            }
        }
        return false
    }

    /// Whether a type, or the one that it is another name of, is an array.
    func isArray(_ type: SwiftType) -> Bool { aliased(type).isArray }

    /// Whether values of a type are segments of a path as they are.
    func isSegment(_ type: SwiftType) -> Bool {
        switch aliased(type) {
        case .string, .int, .int64, .uint64, .uuid: true
        case .declared(let id): isPlainEnumeration(id)
        default: false
        }
    }

    /// Whether a type, or the one that it is another name of, is a text.
    func isText(_ type: SwiftType) -> Bool { aliased(type) == .string }

    /// The properties of a struct that the generated code has; `nil` for another declaration.
    func structure(_ id: Int) -> Declaration.Structure? {
        guard case .structure(let structure) = declarations[id].content, declarations[id].custom == nil else {
            return nil
        }
        return structure
    }

    /// Whether a declaration is an enumeration of texts or of integers.
    private func isPlainEnumeration(_ id: Int) -> Bool {
        guard case .enumeration(let list) = declarations[id].content else { return false }
        return list.kind != .mixed && declarations[id].custom == nil
    }
}
