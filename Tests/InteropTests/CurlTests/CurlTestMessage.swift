import Errand

/// A request or a response in a test file of curl, as a text of one-byte characters.
struct CurlTestMessage {
    let firstLine: String
    private(set) var fields: [(name: String, value: String)] = []
    private(set) var body: String

    /// - Parameter head: The first line and the fields, with any line ends.
    init(head: String, body: String) {
        let lines = head.split(whereSeparator: \.isNewline)
        firstLine = lines.first.map(String.init) ?? ""
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields.append((String(parts[0]), parts.dropFirst().first?.trimmingCharacters(in: .whitespaces) ?? ""))
        }
        self.body = body
    }

    /// The first value of a field.
    subscript(name: String) -> String? { fields.first { $0.name.lowercased() == name.lowercased() }?.value }

    func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The status code of a response.
    var status: Int { Int(firstLine.split(separator: " ").dropFirst().first ?? "") ?? 0 }

    /// Returns the last response in a text that begins with one, without interim responses.
    static func last(in text: String) -> CurlTestMessage? {
        var found: CurlTestMessage?
        var lines = text.keptLines[...]
        while let start = lines.firstIndex(where: { $0.hasPrefix("HTTP/") }) {
            lines = lines[start...]
            let end = lines.firstIndex { $0.allSatisfy(\.isNewline) } ?? lines.endIndex
            let head = lines[..<end].joined()
            lines = lines[end...].dropFirst()
            found = CurlTestMessage(head: head, body: lines.joined())
        }
        return found
    }

    /// Whether a response declares its end and has it, so that its connection can serve another request.
    static func isComplete(_ response: String) -> Bool {
        guard let message = last(in: response) else { return false }
        let size = message.body.unicodeScalars.count
        if message["Transfer-Encoding"] != nil { return message.body.contains(#/(?m)^0\s*$/#) }
        let length = message["Content-Length"].flatMap { Int($0) }
        return message["Connection"] != "close" && length.map { $0 <= size } == true
    }

    /// Returns the requests of a text, with the bodies that their fields declare.
    static func requests(in text: String) -> [CurlTestMessage] {
        var found: [CurlTestMessage] = []
        var lines = text.keptLines.filter { !$0.hasPrefix("[DISCONNECT]") }[...]
        while let start = lines.firstIndex(where: { !$0.allSatisfy(\.isNewline) }) {
            lines = lines[start...]
            let end = lines.firstIndex { $0.allSatisfy(\.isNewline) } ?? lines.endIndex
            var message = CurlTestMessage(head: lines[..<end].joined(), body: "")
            lines = lines[end...].dropFirst()
            let rest = lines.joined().unicodeScalars
            var count = message["Content-Length"].flatMap { Int($0) } ?? 0
            if message["Transfer-Encoding"] == "chunked" {
                count = String(rest).keptLines.prefix { !$0.isLastChunk }.joined().unicodeScalars.count + 5
            }
            message.body = String(String.UnicodeScalarView(rest.prefix(count)))
            lines = String(String.UnicodeScalarView(rest.dropFirst(count))).keptLines[...]
            found.append(message)
        }
        return found
    }

    /// The names of the fields that both clients send alike.
    private static let comparedNames = [
        "Host", "Range", "Cookie", "Authorization", "Proxy-Authorization", "Content-Length", "Content-Type",
        "Transfer-Encoding", "Referer",
    ]

    /// Returns how this request differs from that of curl.
    ///
    /// - Parameter names: The fields that the command sets.
    func differences(from expected: CurlTestMessage, names: [String]) -> [String] {
        var differences: [String] = []
        let (line, other) = (firstLine.split(separator: " "), expected.firstLine.split(separator: " "))
        if line.dropLast() != other.dropLast() {
            differences.append("request \(firstLine) instead of \(expected.firstLine)")
        }
        let all = Set((Self.comparedNames + names).map { $0.lowercased() })
        for name in all.sorted() {
            let one = values(name).map { Self.comparable($0, of: name) }
            let two = expected.values(name).map { Self.comparable($0, of: name) }
            if one != two { differences.append("\(name): \(one) instead of \(two)") }
        }
        if body != expected.body { differences.append("body \(body) instead of \(expected.body)") }
        return differences
    }

    /// The value of a field without what a client chooses: the parts of a Digest that depend on a random value, and the
    /// order of cookies.
    private static func comparable(_ value: String, of name: String) -> String {
        let isDigest = value.hasPrefix("Digest ")
        guard isDigest || name == "cookie" else { return value }
        let list = isDigest ? String(value.dropFirst(7)).replacing("\"", with: "") : value
        let pairs = list.split(separator: isDigest ? "," : ";").map { $0.trimmingCharacters(in: .whitespaces) }
        let chosen = isDigest ? ["cnonce", "nc", "response", "algorithm", "opaque"] : []
        return pairs.filter { pair in !chosen.contains { pair.hasPrefix("\($0)=") } }.sorted().joined(separator: "; ")
    }
}

extension String {
    fileprivate var isLastChunk: Bool { self == "0\r\n" || self == "0\n" }
}

/// A line of a cookie file in Netscape's format.
struct NetscapeCookie: CustomStringConvertible {
    let domain: String
    let isHostOnly: Bool
    let path: String
    let isSecure: Bool
    let name: String
    let value: String
    let isHTTPOnly: Bool
    let expires: Int

    init(_ cookie: CookieJar.Cookie) {
        (domain, isHostOnly, path) = (cookie.domain, cookie.isHostOnly, cookie.path)
        (isSecure, isHTTPOnly, name, value) = (cookie.isSecure, cookie.isHTTPOnly, cookie.name, cookie.value)
        expires = cookie.expires == nil ? 0 : 1
    }

    private init?(_ line: String) {
        let isHTTPOnly = line.hasPrefix("#HttpOnly_")
        let parts = (isHTTPOnly ? String(line.dropFirst(10)) : line)
            .split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 6, !parts[0].hasPrefix("#"), let time = Int(parts[4]) else { return nil }
        (domain, path) = ((parts[0].hasPrefix(".") ? String(parts[0].dropFirst()) : parts[0]).lowercased(), parts[2])
        (isHostOnly, isSecure) = (parts[1] == "FALSE", parts[3] == "TRUE")
        (name, value, self.isHTTPOnly) = (parts[5], parts.count > 6 ? parts[6] : "", isHTTPOnly)
        expires = time == 0 ? 0 : time > 1_700_000_000 ? 1 : -1
    }

    /// The cookies of a file.
    static func all(in text: String) -> [NetscapeCookie] {
        text.split(whereSeparator: \.isNewline).compactMap { NetscapeCookie(String($0)) }
    }

    /// The cookie as a server sets it, and the URL that may set it.
    var setting: (field: String, url: String) {
        let age = expires < 0 ? "; Max-Age=0" : expires > 0 ? "; Max-Age=86400" : ""
        let host = isHostOnly ? "" : "; Domain=\(domain)"
        return (
            "\(name)=\(value); Path=\(path)\(host)\(age)\(isSecure ? "; Secure" : "")\(isHTTPOnly ? "; HttpOnly" : "")",
            "\(isSecure ? "https" : "http")://\(domain)/"
        )
    }

    /// All that a jar stores, and whether it expires.
    var description: String {
        // curl writes a path without its last slash.
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        return "\(name)=\(value) \(domain) \(path)\(isHostOnly ? " host" : "")\(isSecure ? " secure" : "")"
            + "\(isHTTPOnly ? " httponly" : "")\(expires != 0 ? " expires" : "")"
    }
}
