package import Foundation

/// A strict reader of `multipart/form-data`: any deviation from RFC 2046 and RFC 7578 is an error.
package struct MultipartReader {
    package struct Part: Equatable {
        package var name: String
        package var fileName: String?
        package var type: String?
        package var content: Data

        package init(name: String, fileName: String? = nil, type: String? = nil, content: Data) {
            self.name = name
            self.fileName = fileName
            self.type = type
            self.content = content
        }

        package var text: String { String(decoding: content, as: UTF8.self) }
    }

    struct Malformed: Error {
        var what: String
    }

    private var rest: Data
    private let delimiter: Data

    /// The parts of a body, split at the boundary in its `Content-Type`.
    package static func parts(of body: Data, contentType: String?) throws -> [Part] {
        let prefix = "multipart/form-data; boundary="
        guard let contentType, contentType.hasPrefix(prefix) else { throw Malformed(what: "Content-Type") }
        var boundary = String(contentType.dropFirst(prefix.count))
        if boundary.hasPrefix("\""), boundary.hasSuffix("\"") {
            boundary = String(boundary.dropFirst().dropLast())
        } else if boundary.contains(where: { "()<>@,;:\\\"/[]?= \t".contains($0) }) {
            throw Malformed(what: "a boundary that is neither a token nor in quotes")
        }
        var reader = MultipartReader(rest: body, delimiter: Data("\r\n--\(boundary)".utf8))
        return try reader.readAll()
    }

    private mutating func readAll() throws -> [Part] {
        var parts: [Part] = []
        try take(delimiter.dropFirst(2), "first delimiter")
        while !rest.starts(with: Data("--".utf8)) {
            try take(Data("\r\n".utf8), "line end behind a delimiter")
            parts.append(try readPart())
        }
        try take(Data("--\r\n".utf8), "end")
        guard rest.isEmpty else { throw Malformed(what: "something behind the end") }
        return parts
    }

    private mutating func readPart() throws -> Part {
        var fields: [String: String] = [:]
        while true {
            guard let end = rest.firstRange(of: Data("\r\n".utf8)) else { throw Malformed(what: "head") }
            let line = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
            rest = rest[end.upperBound...]
            if line.isEmpty { break }
            guard let colon = line.range(of: ": ") else { throw Malformed(what: "field") }
            let name = String(line[..<colon.lowerBound])
            guard fields.updateValue(String(line[colon.upperBound...]), forKey: name) == nil else {
                throw Malformed(what: "repeated field")
            }
        }
        guard let end = rest.firstRange(of: delimiter) else { throw Malformed(what: "no delimiter behind a part") }
        let content = Data(rest[..<end.lowerBound])
        rest = rest[end.upperBound...]
        guard Set(fields.keys).isSubset(of: ["Content-Disposition", "Content-Type"]),
            let match = fields["Content-Disposition"]?.wholeMatch(
                of: /form-data; name="([^"\r\n]*)"(?:; filename="([^"\r\n]*)")?/
                    // Otherwise a quote and an accent after it are one character.
                    .matchingSemantics(.unicodeScalar))
        else { throw Malformed(what: "Content-Disposition") }
        return Part(
            name: String(match.1), fileName: match.2.map(String.init), type: fields["Content-Type"], content: content)
    }

    private mutating func take(_ bytes: Data, _ what: String) throws {
        guard rest.starts(with: bytes) else { throw Malformed(what: what) }
        rest = rest.dropFirst(bytes.count)
    }
}
