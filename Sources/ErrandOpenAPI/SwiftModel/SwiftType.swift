/// A type in generated code.
indirect enum SwiftType: Hashable {
    case string
    case bool
    case int
    case int64
    case uint64
    case double
    case decimal
    case date
    case calendarDate
    case uuid
    case url
    case data
    /// Any JSON value.
    case json
    /// A file, data or a stream to send.
    case upload
    case array(SwiftType)
    case dictionary(SwiftType)
    case optional(SwiftType)
    /// A value or null, where null is sent.
    case nullable(SwiftType)
    /// The declaration with this number.
    case declared(Int)

    /// The type of a scalar. The values of a format with a custom type are those of their kind.
    init(_ scalar: Scalar) {
        self =
            switch scalar {
            case .boolean: .bool
            case .integer: .int
            case .int64: .int64
            case .uint64: .uint64
            case .number: .double
            case .decimal: .decimal
            case .string: .string
            case .dateTime: .date
            case .date: .calendarDate
            case .uuid: .uuid
            case .url: .url
            case .base64, .binary: .data
            case .custom(_, let kind): kind == .integer ? .int : kind == .number ? .double : .string
            }
    }

    /// Whether values are bytes, or arrays of them.
    var isData: Bool {
        switch self {
        case .data: true
        case .array(let type), .optional(let type), .nullable(let type): type.isData
        default: false
        }
    }

    /// The declarations in this type that are stored within a value: not those of elements.
    var storedDeclaration: Int? {
        switch self {
        case .declared(let id): id
        case .optional(let type), .nullable(let type): type.storedDeclaration
        default: nil
        }
    }

    /// All declarations in this type.
    var declarations: [Int] {
        switch self {
        case .declared(let id): [id]
        case .array(let type), .dictionary(let type), .optional(let type), .nullable(let type): type.declarations
        default: []
        }
    }

    var isOptional: Bool { if case .optional = self { true } else { false } }
}

/// A type, whether null is a value, and the only value if there is one.
struct TypeUse {
    var type: SwiftType
    var isNullable = false
    var constant: Node?
    /// The only known value, which is the constant if no other value fits.
    var known: Node?
}
