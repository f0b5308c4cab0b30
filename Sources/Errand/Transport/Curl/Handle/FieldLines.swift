#if canImport(CCurl)
/// The header fields of a request in libcurl's format.
struct FieldLines {
    /// The body framing that the fields declare.
    enum Framing {
        /// No framing, for a request without a body.
        case none
        /// The framing that libcurl sets.
        case body
        /// A length of 0, for a request that is sent without its body, because a challenge is expected.
        case lengthOfZero
    }

    let values: [String: String]
    let framing: Framing
    /// Whether the caller requests a content coding, and then also decodes the body. With `identity`, the caller
    /// requests none, so Errand decodes the body if the server ignores that.
    private(set) var asksForCoding = false
    /// Whether the request asks for the connection to be closed after it (RFC 9112, section 9.6).
    private(set) var asksToClose = false
    /// The lines, each as `Name: value`.
    private(set) var lines: [String] = []
    /// The size of the lines in bytes, with their line ends.
    let byteCount: Int

    /// The maximum size of the URL and the lines together. libcurl formats the head in a buffer of 1 MiB, which also
    /// has the method and `Host`. Some versions send a head without the fields that do not fit.
    static let maximumByteCount = (1 << 20) - (4 << 10)

    init(_ values: [String: String], framing: Framing) {
        self.values = values
        self.framing = framing
        if framing == .lengthOfZero { lines.append("Content-Length: 0") }
        // For a large body, libcurl would send `Expect: 100-continue` and wait one second if the server does not
        // respond.
        var expectation: String? = framing == .body ? "Expect:" : nil
        // libcurl's own options for the next two fields are not used, because libcurl then formats each field twice.
        var agent: String? = "User-Agent: Errand"
        var coding: String? = "Accept-Encoding: \(ContentCoding.accepted)"
        // A part of a coded body cannot be decoded alone (RFC 9110, section 14.2).
        if values.keys.contains(where: { $0.equalsIgnoringASCIICase("Range") }) { coding = "Accept-Encoding: identity" }
        for (name, value) in values {
            // libcurl's notation: a semicolon means an empty value, and a name with only a colon and blanks removes the
            // field.
            let isBlank = value.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let line = isBlank ? "\(name);" : "\(name): \(value)"
            switch name.lowercased() {
            case "expect": expectation = nil
            // libcurl sets the field from the body size and would send it twice.
            case "content-length": continue
            case "user-agent": agent = nil
            case "connection":
                asksToClose = value.split(separator: ",").contains {
                    $0.trimmingCharacters(in: .whitespaces).lowercased() == "close"
                }
            case "accept-encoding":
                asksForCoding = value.lowercased() != "identity"
                coding = nil
            default: break
            }
            lines.append(line)
        }
        lines += [agent, coding, expectation].compactMap(\.self)
        byteCount = lines.reduce(0) { $0 + $1.utf8.count + 2 }
    }
}
#endif
