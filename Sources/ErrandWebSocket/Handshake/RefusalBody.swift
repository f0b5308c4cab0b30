import Errand

/// The first bytes of the body of a refused handshake, which Errand parses itself. The body ends after `Content-Length`
/// bytes, after the last chunk, or with the connection (RFC 9112, sections 6 and 7).
struct RefusalBody: Sendable {
    /// How the end of the body is found.
    private enum Framing {
        case none
        case sized(Int)
        case chunked
        case untilClose
    }

    private let framing: Framing
    private let limit: Int
    /// The received bytes, with the chunk headers.
    private var raw: [UInt8] = []

    /// - Parameter limit: The maximum number of bytes to keep.
    init(of head: HTTPHead, statusCode: Int, limit: Int) {
        self.limit = limit
        let headers = head.headers
        if statusCode == 204 || statusCode == 304 {
            framing = .none
        } else if let codings = headers["Transfer-Encoding"] {
            framing = codings.lowercased().hasSuffix("chunked") ? .chunked : .untilClose
        } else if let count = headers["Content-Length"].flatMap({ Int($0) }), count >= 0 {
            framing = .sized(count)
        } else {
            framing = .untilClose
        }
    }

    /// Adds received bytes. Keeps at most twice the limit, which leaves room for chunk headers.
    mutating func append(_ bytes: some Collection<UInt8>) {
        raw.append(contentsOf: bytes.prefix(max(2 * limit - raw.count, 0)))
    }

    /// Whether no more bytes are needed: the body or its first `limit` bytes have arrived.
    var isWhole: Bool {
        switch framing {
        case .none: true
        case .sized(let count): raw.count >= min(count, limit)
        case .chunked: raw.count >= 2 * limit || dechunked.isWhole || dechunked.bytes.count >= limit
        case .untilClose: raw.count >= limit
        }
    }

    /// The received bytes of the body, at most `limit`.
    var data: Data {
        switch framing {
        case .none: Data()
        case .sized(let count): Data(raw.prefix(min(count, limit)))
        case .chunked: Data(dechunked.bytes.prefix(limit))
        case .untilClose: Data(raw.prefix(limit))
        }
    }

    /// The content of the received chunks before the last or an invalid one, and whether that last or invalid one was
    /// received.
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
            // The line end after the content.
            rest = rest.dropFirst(rest.first == UInt8(ascii: "\r") ? 2 : 1)
        }
        return (bytes, false)
    }
}
