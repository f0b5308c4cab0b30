import Errand

/// Turns the bytes of one connection into requests, however they are cut; a pure state machine that does no I/O.
struct RequestParser {
    /// What the bytes so far amount to.
    enum Event {
        /// The head of a request that has a body, which follows.
        case head(MockRequest)
        /// The client wants to hear that it may send its body.
        case expectsContinue
        /// So much of a request's body has come as ``limit`` says, and not all of it.
        case limit(MockRequest)
        /// A whole request, body included.
        case request(MockRequest)
        /// Something that is no request. Nothing follows it: where the next one starts cannot be known.
        case failure(RequestFailure)
    }

    static let maximumHeadSize = 65_536

    private let maximumBodySize: Int
    /// What has come and is not part of a head or a body yet.
    private var buffer: [UInt8] = []
    /// How much of `buffer` has been searched for the end of a head.
    private var searched = 0
    /// The request whose body is being read, and what reads it; nil between requests.
    private var request: MockRequest?
    private var decoder: RequestBodyDecoder?
    private var hasFailed = false
    /// How many bytes of this request's body are read before that is an event; more than there are by default.
    var limit = Int.max
    /// Whether the client of this request is still to be told that it may send its body.
    var saysContinue = false

    init(maximumBodySize: Int) {
        self.maximumBodySize = maximumBodySize
    }

    /// The number of bytes that wait for ``next()``.
    var bufferedCount: Int { buffer.count }

    /// Gives up what has come and is no request's: the connection is not HTTP's any more.
    mutating func takeRest() -> [UInt8] {
        defer { buffer = [] }
        return buffer
    }

    /// Adds bytes as they came.
    mutating func append(_ bytes: some Sequence<UInt8>) {
        guard !hasFailed else { return }
        buffer.append(contentsOf: bytes)
    }

    /// The next event; nil when that needs more bytes.
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

    /// Takes a head off the front, its empty line included; nil when it is not whole yet.
    private mutating func takeHead() throws(RequestFailure) -> Data? {
        // Empty lines before a request line are passed over (RFC 9112, section 2.2).
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

    /// Where the first line ends that is empty but for a CR; the search goes on where it stopped.
    private mutating func endOfHead() -> Int? {
        while let lineEnd = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            let following = buffer[(lineEnd + 1)...].prefix(2)
            if following.first == UInt8(ascii: "\n") { return lineEnd + 2 }
            if following.elementsEqual("\r\n".utf8) { return lineEnd + 3 }
            // This line end may turn out to be followed by an empty line that is still on its way.
            searched = following.count < 2 ? lineEnd : lineEnd + 1
            if following.count < 2 { return nil }
        }
        searched = buffer.count
        return nil
    }
}

extension RequestFailure {
    /// The response that tells the client.
    var response: MockResponse {
        switch self {
        case .malformed(let what): .text("Malformed \(what)\n", statusCode: 400)
        case .headTooLarge: .text("The head is larger than \(RequestParser.maximumHeadSize) bytes\n", statusCode: 431)
        case .bodyTooLarge: .text("The body is larger than the server takes\n", statusCode: 413)
        }
    }
}
