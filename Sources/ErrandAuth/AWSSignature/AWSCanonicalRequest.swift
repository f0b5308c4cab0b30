import Errand

/// A request in the canonical form that client and server sign (AWS, "Create a signed AWS API request", step 1).
struct AWSCanonicalRequest {
    /// The canonical form of the path.
    enum PathRule: Sendable {
        /// The path as sent, escaped once. Object stores use it, because `a//b` is a key there.
        case asSent
        /// The path without dot segments and empty segments, escaped once more. All other services use it.
        case normalized
    }

    /// The fields that transports and proxies may set or change, and the one that holds the signature.
    static let changeableFields: Set = [
        "accept-encoding", "authorization", "connection", "content-length", "expect", "te", "trailer",
        "transfer-encoding", "upgrade", "user-agent",
    ]

    /// The names of the signed fields in lowercase and in order, separated by semicolons.
    let signedFields: String
    /// The lines of the canonical request.
    let text: String

    /// - Parameters:
    ///   - payload: The last line, which represents the body: its digest, or `UNSIGNED-PAYLOAD`.
    ///   - unsigned: The fields that are not signed, in lowercase.
    init(
        _ request: URLRequest, payload: String, path: PathRule, unsigned: Set<String> = Self.changeableFields
    ) {
        self.init(request, payload: payload, path: { $0.canonicalPath(path) }, unsigned: unsigned)
    }

    /// - Parameter path: Returns the canonical form of the path. AWS's test suite needs its own rule.
    init(
        _ request: URLRequest, payload: String, path: (URLComponents) -> String, unsigned: Set<String>
    ) {
        let components = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        let fields = Self.fields(of: request, components, without: unsigned)
        signedFields = Self.names(of: fields)
        let lines =
            [request.httpMethod ?? "GET", components.map(path) ?? "/", components?.canonicalQuery ?? ""]
            + fields.map { "\($0.name):\($0.value.withSingleSpaces)" } + ["", signedFields, payload]
        text = lines.joined(separator: "\n")
    }

    /// The names of the fields of a request that will be signed.
    static func signedFields(of request: URLRequest, unsigned: Set<String> = changeableFields) -> String {
        let components = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        return names(of: fields(of: request, components, without: unsigned))
    }

    /// Returns the fields that are signed, with lowercase names and in order. Adds `host`, which the transport sends.
    private static func fields(
        of request: URLRequest, _ components: URLComponents?, without unsigned: Set<String>
    ) -> [(name: String, value: String)] {
        var fields = (request.allHTTPHeaderFields ?? [:]).map { (name: $0.key.asciiLowercased, value: $0.value) }
            .filter { !unsigned.contains($0.name) }
        if let host = components?.hostField, !fields.contains(where: { $0.name == "host" }) {
            fields.append(("host", host))
        }
        return fields.sorted { $0.name < $1.name }
    }

    private static func names(of fields: [(name: String, value: String)]) -> String {
        fields.map(\.name).joined(separator: ";")
    }
}

extension URLComponents {
    fileprivate func canonicalPath(_ rule: AWSCanonicalRequest.PathRule) -> String {
        switch rule {
        case .asSent: percentEncodedPath.isEmpty ? "/" : percentEncodedPath.awsEscapedOnce(keeping: "/")
        case .normalized: normalizedPath.awsEscaped(keeping: "/")
        }
    }

    /// The path as sent, without dot segments and empty segments.
    var normalizedPath: String {
        var segments: [Substring] = []
        let all = percentEncodedPath.split(separator: "/")
        for segment in all where segment != "." {
            if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
        }
        let isFolder = percentEncodedPath.hasSuffix("/") || all.last == "." || all.last == ".."
        return "/" + segments.joined(separator: "/") + (isFolder && !segments.isEmpty ? "/" : "")
    }

    /// The query items, sorted by name and then by value, each with an equals sign.
    fileprivate var canonicalQuery: String {
        let items = (percentEncodedQuery ?? "").split(separator: "&").map { item in
            let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = halves.count > 1 ? halves[1].awsEscapedOnce() : ""
            return (name: halves[0].awsEscapedOnce(), value: value)
        }
        return items.sorted { $0 < $1 }.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
}

extension String {
    private static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

    /// Returns this text with all characters escaped except the unreserved ones (RFC 3986, section 2.3) and `others`.
    func awsEscaped(keeping others: String = "") -> String {
        addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: Self.unreserved + others)) ?? self
    }

    /// Returns this percent-encoded text, decoded and then escaped as ``awsEscaped(keeping:)`` does. It works on
    /// bytes, because the decoded text may not be valid UTF-8.
    func awsEscapedOnce(keeping others: String = "") -> String {
        var escaped = ""
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            var code = byte
            if byte == UInt8(ascii: "%") {
                let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
                if digits.count == 2 {
                    code = UInt8(digits[0] << 4 | digits[1])
                    rest = rest.dropFirst(2)
                }
            }
            if Self.unreserved.utf8.contains(code) || others.utf8.contains(code) {
                escaped.unicodeScalars.append(Unicode.Scalar(code))
            } else {
                escaped += "%" + (code < 16 ? "0" : "") + String(code, radix: 16, uppercase: true)
            }
        }
        return escaped
    }

    /// This text without surrounding spaces and tabs, and with one space for each sequence of them.
    fileprivate var withSingleSpaces: String { split { $0 == " " || $0 == "\t" }.joined(separator: " ") }
}
