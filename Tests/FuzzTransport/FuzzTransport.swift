/// The function that libFuzzer calls with each input: bytes of a server, which a ``CurlTransport`` reads.
///
/// The first byte sets the kind of the requests. The rest are the responses, each ended by a zero byte, to requests
/// that are sent one after another over one transport. Therefore a handle of libcurl, its connection and its memory are
/// used again for the next response. Afterwards, the server responds correctly, and that response must arrive.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(UnsafeBufferPointer(start: start, count: count))
    let kind = RequestKind(rawValue: input.number())
    let responses = input.fields.prefix(8).map(Array.init)
    let outcome = Locked<Result<String, any Error>?>(nil)
    let transport = CurlTransport(configuration)
    Task {
        for _ in responses { try? await exchange(kind, over: transport) }
        let result: Result<String, any Error>
        do {
            let last = try await transport.send(TransportRequest(URLRequest(url: server.url(FuzzServer.lastPath))))
            result = .success(String(decoding: last.data, as: UTF8.self))
        } catch {
            result = .failure(error)
        }
        await transport.shutdown(cancelsRequests: true)
        outcome.withLock { $0 = result }
    }
    server.serve(responses) { outcome.withLock { $0 != nil } }
    guard case .success(FuzzServer.lastBody)? = outcome.withLock(\.self) else {
        fatalError("the response after the hostile ones is \(String(describing: outcome.withLock(\.self)))")
    }
    return 0
}

private let server = FuzzServer()

private let configuration: CurlConfiguration = {
    var configuration = CurlConfiguration()
    configuration.proxy = .none
    configuration.maximumHeadSize = 8 << 10
    return configuration
}()

/// The properties of the requests of an input.
private struct RequestKind: OptionSet {
    let rawValue: Int

    static let hasBody = Self(rawValue: 1)
    static let streamsResponse = Self(rawValue: 2)
    static let hasCredential = Self(rawValue: 4)
    static let isHead = Self(rawValue: 8)
}

/// Sends one request and reads its response.
private func exchange(_ kind: RequestKind, over transport: CurlTransport) async throws {
    var urlRequest = URLRequest(url: server.url("/"))
    urlRequest.timeoutInterval = 5
    if kind.contains(.hasBody) {
        urlRequest.httpMethod = "PUT"
        urlRequest.httpBody = Data(repeating: 0x78, count: 100)
    } else if kind.contains(.isHead) {
        urlRequest.httpMethod = "HEAD"
    }
    var request = TransportRequest(urlRequest)
    request.maximumBodySize = 64 << 10
    request.streamsResponse = kind.contains(.streamsResponse)
    if kind.contains(.hasCredential) { request.digestCredential = PasswordCredential(user: "u", password: "p") }
    _ = try await transport.send(request).collected(upTo: 64 << 10)
}
