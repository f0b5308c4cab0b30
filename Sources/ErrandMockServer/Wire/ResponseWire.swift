import Errand
import ErrandTesting

/// The bytes of a response on the wire, and the positions of its parts.
struct ResponseWire {
    /// All bytes of the response.
    private(set) var bytes: Data
    /// Whether the connection ends after the response.
    let endsConnection: Bool
    /// The positions of the chunks of a chunked body, and of its end; empty for other bodies.
    private(set) var chunkStarts: [Int] = []
    /// The closure for the rest of the body, and whether it is sent in chunks; `nil` if ``bytes`` contains the whole
    /// body.
    private(set) var chunks: (next: MockResponse.Chunks, isFramed: Bool)?
    /// The position of the trailer fields of a chunked body.
    private var trailersStart: Int?
    private let headSize: Int
    /// The ranges of the payload, without the framing.
    private var payload: [Range<Int>] = []

    init(_ response: MockResponse, to request: MockRequest?) {
        let keepsConnection = !response.closesConnection && request?.keepsConnection == true
        if let raw = response.raw {
            let separator = raw.range(of: Data("\r\n\r\n".utf8))
            bytes = Data(raw)
            headSize = separator.map { $0.upperBound - raw.startIndex } ?? raw.count
            payload = [headSize..<bytes.count]
            endsConnection = !keepsConnection
            return
        }

        let body = Self.body(of: response, to: request)
        let head = SerializedHead(response, body: body, to: request, keepsConnection: keepsConnection)
        bytes = head.bytes
        headSize = bytes.count
        endsConnection = head.endsConnection
        guard request?.method != .head, response.mayHaveBody else { return }
        switch body {
        case .empty: break
        case .stream(let next): chunks = (next, isFramed: request?.version != "HTTP/1.0")
        case .sized(let data), .untilClose(let data): append(payload: data)
        case .chunked(let chunks, let trailers): append(chunks: chunks, trailers: trailers, fault: response.fault)
        }
    }

    /// The number of bytes before a position.
    func offset(of point: MockFault.Point) -> Int {
        switch point {
        case .head(let count):
            return min(max(count, 0), headSize)
        case .body(let count):
            var offset = headSize
            var left = max(count, 0)
            for range in payload where left > 0 {
                offset = range.lowerBound + min(left, range.count)
                left -= min(left, range.count)
            }
            return offset
        case .chunkSize(let chunk):
            guard let last = chunkStarts.last else { return bytes.count }
            return (chunkStarts.indices.contains(chunk) ? chunkStarts[chunk] : last) + 1
        case .trailers(let count):
            let start = trailersStart ?? bytes.count
            return start + min(max(count, 0), bytes.count - start)
        }
    }

    /// The body in a form that this client can read.
    private static func body(of response: MockResponse, to request: MockRequest?) -> MockResponse.Body {
        guard case .chunked(let chunks, _) = response.body, request?.version == "HTTP/1.0" else { return response.body }
        return .untilClose(Data(chunks.joined()))
    }

    private mutating func append(payload data: Data) {
        payload.append(bytes.count..<bytes.count + data.count)
        bytes.append(data)
    }

    private mutating func append(chunks: [Data], trailers: HeaderFields, fault: MockFault?) {
        let chunks = chunks.filter { !$0.isEmpty }
        let fault = fault?.ofLastChunk(chunks.count)
        for (index, chunk) in chunks.enumerated() {
            beginChunk(index, size: chunk.count, fault)
            append(payload: chunk)
            bytes.append(contentsOf: "\r\n".utf8)
        }
        beginChunk(chunks.count, size: 0, fault)
        trailersStart = bytes.count
        if case .malformedTrailer = fault { bytes.append(contentsOf: "no colon\r\n".utf8) }
        let fields = trailers.map { "\($0.name): \($0.value)\r\n" }.joined()
        bytes.append(contentsOf: "\(fields)\r\n".utf8)
    }

    private mutating func beginChunk(_ index: Int, size: Int, _ fault: MockFault?) {
        chunkStarts.append(bytes.count)
        let line = fault?.sizeLine(of: index, size: size) ?? String(size, radix: 16)
        bytes.append(contentsOf: "\(line)\r\n".utf8)
    }
}
