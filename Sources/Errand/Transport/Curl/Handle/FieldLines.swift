#if canImport(CCurl)
/// The header fields of a request as libcurl takes them.
struct FieldLines {
    /// What the fields say of the body.
    enum Framing {
        /// Nothing: there is none.
        case none
        /// What libcurl says of it.
        case body
        /// That it is empty, where libcurl is not given one.
        case lengthOfZero
    }

    let values: [String: String]
    let framing: Framing
    /// Whether the caller says which content codings it takes; then it undoes them too. Who wants none gets none, also from a
    /// server that does not heed it.
    private(set) var asksForCoding = false
    /// Each as `Name: value`.
    private(set) var lines: [String] = []

    init(_ values: [String: String], framing: Framing) {
        self.values = values
        self.framing = framing
        if framing == .lengthOfZero { lines.append("Content-Length: 0") }
        // libcurl would ask before it sends a large body, and wait a second where nobody answers.
        var expectation: String? = framing == .body ? "Expect:" : nil
        // Not by libcurl's own options, for which it formats each of these twice.
        var agent: String? = "User-Agent: Errand"
        var coding: String? = "Accept-Encoding: \(ContentDecoder.accepted)"
        for (name, value) in values {
            let line = value.isEmpty ? "\(name);" : "\(name): \(value)"
            switch name.lowercased() {
            case "expect": expectation = nil
            // libcurl sets it from the body, and would send a second one.
            case "content-length": continue
            case "user-agent": agent = nil
            case "accept-encoding":
                asksForCoding = value.lowercased() != "identity"
                coding = nil
            default: break
            }
            lines.append(line)
        }
        lines += [agent, coding, expectation].compactMap(\.self)
    }
}
#endif
