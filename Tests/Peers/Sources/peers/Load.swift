import AsyncHTTPClient
import CLibcurlPeer
import Errand
import NIOPosix
import NIOSSL

/// Sends GET requests for one URL with one of the clients. Typed responses are validated and decoded as users.
struct Load: Sendable {
    let url: URL
    let isTyped: Bool
    private let authority = ProcessInfo.processInfo.environment["PEERS_AUTHORITY"]
    private let speaksHTTP2 = ProcessInfo.processInfo.environment["PEERS_HTTP2"] != nil
    private let takesGzip = ProcessInfo.processInfo.environment["PEERS_GZIP"] != nil

    init(url: URL, isTyped: Bool) {
        self.url = url
        self.isTyped = isTyped
    }

    func run(_ peer: String, concurrency: Int, count: Int) async throws {
        switch peer {
        case "errand", "errand-executor":
            let transport = try makeTransport()
            try await drive(
                peer, concurrency, count, on: peer == "errand" ? nil : transport.executor
            ) { try await get(over: transport) }
        case "async-http-client":
            let client = try makeClient(concurrency)
            try await drive(peer, concurrency, count) { try await get(over: client) }
            try await client.shutdown()
        case "urlsession":
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            configuration.httpMaximumConnectionsPerHost = concurrency
            let session = URLSession(configuration: configuration)
            try await drive(peer, concurrency, count) { try await get(over: session) }
        case "libcurl":
            let measurement = Measurement("get", peer, concurrency: concurrency)
            let options = { (authority: UnsafePointer<CChar>?) in
                LibcurlPeerOptions(authority: authority, speaks_http2: speaksHTTP2, takes_gzip: takesGzip)
            }
            let bytes =
                authority.map { authority in
                    authority.withCString {
                        libcurl_peer_get(url.absoluteString, Int32(concurrency), Int32(count), options($0))
                    }
                } ?? libcurl_peer_get(url.absoluteString, Int32(concurrency), Int32(count), options(nil))
            guard bytes >= 0 else { throw URLError(.unknown) }
            measurement.finish(count: count, bytes: Int(bytes))
        default: throw Usage()
        }
    }

    /// Sends `count` requests from this number of tasks.
    private func drive(
        _ peer: String, _ concurrency: Int, _ count: Int, on executor: (any TaskExecutor)? = nil,
        _ send: @escaping @Sendable () async throws -> Int
    ) async throws {
        let measurement = Measurement(isTyped ? "typed" : "get", peer, concurrency: concurrency)
        let bytes = try await withThrowingTaskGroup(of: Int.self) { group in
            for worker in 0..<concurrency {
                let share = count / concurrency + (worker < count % concurrency ? 1 : 0)
                group.addTask(executorPreference: executor) {
                    var bytes = 0
                    for _ in 0..<share { bytes += try await send() }
                    return bytes
                }
            }
            return try await group.reduce(0, +)
        }
        measurement.finish(count: count, bytes: bytes)
    }

    func download(_ peer: String) async throws {
        let measurement = Measurement("download", peer)
        var bytes = 0
        switch peer {
        case "errand":
            for try await piece in try await BenchRequest(url, over: makeTransport()).download() {
                bytes += piece.count
            }
        case "async-http-client":
            let client = try makeClient(1)
            let response = try await client.execute(HTTPClientRequest(url: url.absoluteString), timeout: .seconds(300))
            for try await piece in response.body { bytes += piece.readableBytes }
            try await client.shutdown()
        case "urlsession":
            let (file, _) = try await URLSession.shared.download(from: url)
            bytes = try Data(contentsOf: file, options: .alwaysMapped).count
        case "libcurl":
            let options = LibcurlPeerOptions(authority: nil, speaks_http2: false, takes_gzip: false)
            bytes = Int(libcurl_peer_get(url.absoluteString, 1, 1, options))
        default: throw Usage()
        }
        measurement.finish(count: 1, bytes: bytes)
    }
}

// The configuration of each peer, and the code that sends one request.
extension Load {
    private func makeTransport() throws -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.version = speaksHTTP2 ? .automatic : .http1
        configuration.tls.additionalAuthorities = try authority.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        return CurlTransport(configuration)
    }

    private func makeClient(_ concurrency: Int) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = concurrency
        configuration.httpVersion = speaksHTTP2 ? .automatic : .http1Only
        if takesGzip { configuration.decompression = .enabled(limit: .none) }
        if let authority {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(authority)
            configuration.tlsConfiguration = tls
        }
        return HTTPClient(
            eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: 1)),
            configuration: configuration)
    }

    private func get(over transport: CurlTransport) async throws -> Int {
        guard isTyped else { return try await BenchRequest(url, over: transport).sendRequest().value.data.count }
        return try await BenchRequest(url, over: transport).start().value.count
    }

    private func get(over client: HTTPClient) async throws -> Int {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.headers.add(name: "Accept", value: "application/json")
        if takesGzip { request.headers.add(name: "Accept-Encoding", value: "gzip") }
        let response = try await client.execute(request, timeout: .seconds(30))
        guard response.status == .ok, response.headers.first(name: "Content-Type") == "application/json" else {
            throw URLError(.badServerResponse)
        }
        let body = try await response.body.collect(upTo: 1 << 26)
        return isTyped
            ? try JSONDecoder().decode([User].self, from: Data(body.readableBytesView)).count : body.readableBytes
    }

    private func get(over session: URLSession) async throws -> Int {
        let (data, response) = try await session.data(for: URLRequest(url: url))
        guard (response as? HTTPURLResponse)?.statusCode == 200, response.mimeType == "application/json" else {
            throw URLError(.badServerResponse)
        }
        return isTyped ? try JSONDecoder().decode([User].self, from: data).count : data.count
    }
}

/// The base class of the benchmark's requests, as a user writes it.
class BenchAPI: APIBase {
    init(_ url: URL, over transport: any Transport) {
        super.init()
        baseURL = url
        session = transport
        headers = ["Accept": "application/json"]
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest().validateStatusCode(in: 200..<300).hasContentType("application/json")
    }
}

final class BenchRequest: BenchAPI, Request {
    func start() -> Pipeline<[User], any Error> { sendRequest().decode([User].self) }

    /// The body piece by piece, of any type.
    func download() async throws -> ResponseBody {
        var request = TransportRequest(try buildURLRequest())
        request.streamsResponse = true
        return try await session.send(request).body
    }
}
