/// The first bytes of a body whose head came over a connection of our own, whichever way its end is marked (RFC 9112,
/// sections 6 and 7); a pure value.
struct RefusalBody: Sendable {
    private enum Framing {
        case none
        case sized(Int)
        case chunked
        case untilClose
    }

    private let framing: Framing
    private let limit: Int
    private var raw: [UInt8] = []

    /// - Parameter limit: How many bytes are wanted at most.
    init(of head: HTTPHead, statusCode: Int, limit: Int) {
        self.limit = limit
        let block = head.headers
        if statusCode == 204 || statusCode == 304 {
            framing = .none
        } else if block["Transfer-Encoding"] != nil {
            framing = .chunked
        } else if let count = block["Content-Length"].flatMap({ Int($0) }), count >= 0 {
            framing = .sized(count)
        } else {
            framing = .untilClose
        }
    }

    /// Adds bytes as they came; more than twice the limit are never needed.
    mutating func append(_ bytes: some Collection<UInt8>) {
        raw.append(contentsOf: bytes.prefix(max(2 * limit - raw.count, 0)))
    }

    /// Whether there is nothing more to wait for.
    var isWhole: Bool {
        switch framing {
        case .none: true
        case .sized(let count): raw.count >= min(count, limit)
        case .chunked: raw.count >= 2 * limit || dechunked.isWhole || dechunked.bytes.count >= limit
        case .untilClose: raw.count >= limit
        }
    }

    /// What has come of it.
    var data: Data {
        switch framing {
        case .none: Data()
        case .sized(let count): Data(raw.prefix(min(count, limit)))
        case .chunked: Data(dechunked.bytes.prefix(limit))
        case .untilClose: Data(raw.prefix(limit))
        }
    }

    /// The chunks that are there, as far as they make sense.
    private var dechunked: (bytes: [UInt8], isWhole: Bool) {
        var bytes: [UInt8] = []
        var rest = raw[...]
        while let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let digits = rest[..<lineEnd].prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\r") }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size > 0 else {
                return (bytes, true)
            }
            rest = rest[(lineEnd + 1)...]
            bytes.append(contentsOf: rest.prefix(size))
            guard rest.count > size else { break }
            rest = rest.dropFirst(size)
            rest = rest.dropFirst(rest.first == UInt8(ascii: "\r") ? 2 : 1)
        }
        return (bytes, false)
    }
}
