/// A kind of JSON value, as the key `type` names it.
enum JSONKind: String, CaseIterable {
    case string
    case integer
    case number
    case boolean
    case array
    case object
    case null

    /// The kind of the values of a format; `nil` for an unknown format.
    init?(format: String) {
        switch format {
        case "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "integer":
            self = .integer
        case "float", "double", "decimal": self = .number
        case "binary", "byte", "date", "date-time", "duration", "email", "hostname", "idn-email", "idn-hostname",
            "ipv4", "ipv6", "iri", "iri-reference", "json-pointer", "password", "regex", "relative-json-pointer",
            "time", "uri", "uri-reference", "uri-template", "url", "uuid":
            self = .string
        default: return nil
        }
    }
}
