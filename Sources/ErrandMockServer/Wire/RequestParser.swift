import Errand
import ErrandTesting

/// Parses the bytes of a connection into requests, in pieces of any size; a pure state machine without I/O.
struct RequestParser {
    /// An event in the received bytes.
    enum Event {
        /// The head of a request with a body, which follows.
        case head(MockRequest)
        /// The client waits for `100 Continue` before it sends its body.
        case expectsContinue
        /// ``limit`` bytes of a request's body have arrived, but not the whole body.
        case limit(MockRequest)
        /// A complete request with its body.
        case request(MockRequest)
        /// Invalid bytes. No event follows, because the beginning of the next request is unknown.
        case failure(RequestFailure)
    }

    static let maximumHeadSize = 65_536

    private let maximumBodySize: Int
    /// The received bytes that do not yet belong to a head or a body.
    private var buffer: [UInt8] = []
    /// The number of bytes of `buffer` that were searched for the end of a head.
    private var searched = 0
    /// The request whose body is being read, and its decoder; `nil` between requests.
    private var request: MockRequest?
    private var decoder: RequestBodyDecoder?
    private var hasFailed = false
    /// The number of bytes of this request's body after which an event is returned; unlimited by default.
    var limit = Int.max
    /// Whether the client of this request still waits for `100 Continue`.
    var saysContinue = false

    init(maximumBodySize: Int) {
        self.maximumBodySize = maximumBodySize
    }

    /// The number of bytes that are not parsed yet.
    var bufferedCount: Int { buffer.count }

    /// Removes and returns the bytes after the last request, because another protocol takes over the connection.
    mutating func takeRest() -> [UInt8] {
        defer { buffer = [] }
        return buffer
    }

    /// Appends received bytes.
    mutating func append(_ bytes: some Sequence<UInt8>) {
        guard !hasFailed else { return }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next event; `nil` if more bytes are needed.
    mutating func next() -> Event? {
        guard !hasFailed else { return nil }
        do {
            return try nextOrThrow()
        } catch {
            hasFailed = true
            buffer = []
            return .failure(error)
        }
    }

    private mutating func nextOrThrow() throws(RequestFailure) -> Event? {
        if request == nil {
            guard let head = try takeHead() else { return nil }
            let request = try MockRequest(rawHead: head)
            let decoder = try RequestBodyDecoder(for: request.headers, maximumSize: maximumBodySize)
            self.request = request
            self.decoder = decoder
            limit = .max
            saysContinue = request.expectsContinue
            if !decoder.isFinished { return .head(request) }
        }
        if saysContinue, decoder?.isFinished == false {
            saysContinue = false
            return .expectsContinue
        }
        try decoder?.decode(&buffer, limit: limit)
        guard var request, let decoder else { return nil }
        request.body = decoder.body
        guard decoder.isFinished else {
            guard decoder.body.count >= limit else { return nil }
            request.isComplete = false
            return .limit(request)
        }
        request.trailers = decoder.trailers
        self.request = nil
        self.decoder = nil
        return .request(request)
    }

    /// Takes a head, including its empty line, from the beginning of the buffer; returns `nil` if it is incomplete.
    private mutating func takeHead() throws(RequestFailure) -> Data? {
        // Empty lines before a request line are ignored (RFC 9112, section 2.2).
        buffer.removeFirst(buffer.prefix { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }.count)
        guard let end = endOfHead() else {
            guard buffer.count < Self.maximumHeadSize else { throw .headTooLarge }
            return nil
        }
        guard end <= Self.maximumHeadSize else { throw .headTooLarge }
        let head = Data(buffer[..<end])
        buffer.removeFirst(end)
        searched = 0
        return head
    }

    /// The end of the first empty line; the search continues where it stopped.
    private mutating func endOfHead() -> Int? {
        while let lineEnd = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            let following = buffer[(lineEnd + 1)...].prefix(2)
            if following.first == UInt8(ascii: "\n") { return lineEnd + 2 }
            if following.elementsEqual("\r\n".utf8) { return lineEnd + 3 }
            // This line may be followed by an empty line that has not arrived yet.
            searched = following.count < 2 ? lineEnd : lineEnd + 1
            if following.count < 2 { return nil }
        }
        searched = buffer.count
        return nil
    }
}

extension RequestFailure {
    /// The response that reports the failure to the client.
    var response: MockResponse {
        switch self {
        case .malformed(let what): .text("Malformed \(what)\n", statusCode: 400)
        case .headTooLarge: .text("The head is larger than \(RequestParser.maximumHeadSize) bytes\n", statusCode: 431)
        case .bodyTooLarge: .text("The body is larger than the server takes\n", statusCode: 413)
        }
    }
}
