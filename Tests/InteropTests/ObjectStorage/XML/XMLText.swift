import Errand

/// Writes the small documents of requests to a store.
enum XMLText {
    /// A document of these lines of elements, in the store's namespace.
    static func document(_ root: String, _ content: String) -> Data {
        Data(#"<\#(root) xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\#(content)</\#(root)>"#.utf8)
    }

    /// An element with a text of any characters.
    ///
    /// - Throws: `ErrandError` with `bodyEncodingFailed` for a character that XML cannot represent (XML 1.0, section
    ///   2.2).
    static func element(_ name: String, _ text: String) throws -> String {
        let escaped = try text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            // A reader replaces these characters with spaces or line feeds if they are not escaped.
            case "\t", "\n", "\r": "&#\(scalar.value);"
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}":
                throw ErrandError(.bodyEncodingFailed, reason: "XML cannot write a control character")
            default: String(scalar)
            }
        }
        return "<\(name)>\(escaped.joined())</\(name)>"
    }
}
