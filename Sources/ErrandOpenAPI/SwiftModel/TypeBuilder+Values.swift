extension TypeBuilder {
    /// Whether values of a type are texts in a query, a header field or a form, or arrays of texts. All schemas must
    /// have been read.
    func isPlain(_ type: SwiftType) -> Bool {
        switch type {
        case .string, .bool, .int, .int64, .uint64, .double, .decimal, .date, .calendarDate: true
        case .array(let element): !isArray(element) && !element.isOptional && isPlain(element)
        case .optional(let value), .nullable(let value): isPlain(value)
        case .data, .json, .upload, .dictionary: false
        case .declared(let id):
            switch declarations[id].content {
            case .enumeration(let list): list.kind != .mixed
            case .alias(let type): isPlain(type)
            case .pending, .structure, .union: false
            }
        }
    }

    /// Whether a type, or the one that it is another name of, is an array.
    func isArray(_ type: SwiftType) -> Bool {
        switch type {
        case .array: return true
        case .declared(let id):
            guard case .alias(let type) = declarations[id].content else { return false }
            return isArray(type)
        default: return false
        }
    }

    /// Whether values of a type are segments of a path as they are.
    func isSegment(_ type: SwiftType) -> Bool {
        switch type {
        case .string, .int, .int64, .uint64: return true
        case .declared(let id):
            switch declarations[id].content {
            case .enumeration(let list): return list.kind != .mixed
            case .alias(let type): return isSegment(type)
            case .pending, .structure, .union: return false
            }
        default: return false
        }
    }

    /// Whether a type, or the one that it is another name of, is a text.
    func isText(_ type: SwiftType) -> Bool {
        switch type {
        case .string: return true
        case .declared(let id):
            guard case .alias(let type) = declarations[id].content else { return false }
            return isText(type)
        default: return false
        }
    }
}
