package import Errand

extension MockRequest {
    /// Parses a head, from the request line to the empty line (RFC 9112, sections 3 and 5).
    ///
    /// The parser is strict, so that it finds errors of clients. Only a line end of LF alone is tolerated.
    package init(rawHead: Data) throws(RequestFailure) {
        var lines = rawHead.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }[...]
        let parts = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, Self.isToken(parts[0]), !parts[1].isEmpty, ["HTTP/1.1", "HTTP/1.0"].contains(parts[2])
        else { throw .malformed("request line") }

        var headers = HeaderFields()
        for line in lines.prefix(while: { !$0.isEmpty }) {
            guard let colon = line.firstIndex(of: ":"), Self.isToken(line[..<colon]) else {
                throw .malformed("header field")
            }
            headers.add(String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
        if parts[2] == "HTTP/1.1", headers[values: "Host"].count != 1 { throw .malformed("head: it needs one Host") }

        self.method = RequestMethod(rawValue: String(parts[0]))
        self.target = String(parts[1])
        self.version = String(parts[2])
        self.headers = headers
        self.rawHead = rawHead
    }

    /// Returns `true` if a text is a token, as methods and field names must be (RFC 9110, section 5.6.2).
    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { tokenBytes.contains($0) }
    }

    private static let tokenBytes = Set(
        "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
}

/// The reason why the bytes from a client are not a valid request.
package enum RequestFailure: Error, Hashable {
    case malformed(String)
    case headTooLarge
    case bodyTooLarge
}
