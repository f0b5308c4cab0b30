/// A message about a document, or about what was generated from it.
struct Diagnostic {
    enum Severity: String {
        case note
        case warning
        case error
    }

    /// The subject of a message; its name stands in brackets after the message.
    enum Kind: String, CaseIterable {
        case file
        case syntax
        case duplicateKey = "duplicate-key"
        case limit
        case version
        case unknownKey = "unknown-key"
        case type
        case missing
        case reference
        case schema
        case union
        case parameter
        case body
        case response
        case security
        case server
        case name
        case unsupported
        case restriction
        case page
        case configuration
    }

    let severity: Severity
    let kind: Kind
    let message: String
    let place: Place?
}

/// A place in a file.
struct Place: Sendable {
    let file: SourceFile
    let offset: Int
    /// The path from the outermost value of the file, as a URI fragment: `#/paths/~1books`.
    let pointer: String
}

extension Diagnostic: CustomStringConvertible {
    /// The message with its place, in the form that compilers use. Text of the document stays on one line.
    var description: String {
        let text = "\(severity.rawValue): \(message.visibleLine) [\(kind.rawValue)]"
        guard let place else { return text }
        let (line, column) = place.file.position(of: place.offset)
        let head = "\(place.file.path):\(line):\(column): \(text)"
        return place.pointer == "#" ? head : "\(head)\n  at \(place.pointer.visibleLine)"
    }
}
