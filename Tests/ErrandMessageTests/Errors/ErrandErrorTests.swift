import Errand
import TestSupport
import Testing

struct `An error` {
    @Test func `an error matches the pattern of its code in a catch clause`() async {
        do {
            _ = try await Pipeline<Int, any Error>.fail(ErrandError(.timedOut)).value
            Issue.record("nothing was thrown")
        } catch ErrandError.Code.cancelled {
            Issue.record("a timeout matches the code cancelled")
        } catch ErrandError.Code.timedOut {
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func `an error description has the request, the failure and the number of attempts`() async {
        let request = Probe(RecordingTransport(), path: "/users")
        request.query = ["page": 2]
        request.acceptedStatusCodes = 200..<300
        request.retryPolicy = RetryPolicy(backoff: .immediate, maximumAttempts: 2)
        request.dataTaskPipeline = request.stubResponse(statusCode: 503)
        let error = await expectFailure(.unacceptableStatusCode) { try await request.start().value }
        #expect(error?.attempts == 2)
        let expected = """
            GET https://api.example.com/users?page=***: unacceptableStatusCode: the status is 503, not 200 to 299 (attempt 2)
            """
        #expect(error?.description == expected)
        #expect(error?.localizedDescription == expected)
    }

    @Test func `an error of the transport is mapped to the same code on every platform`() async {
        await expectTransportError(URLError(.timedOut), .timedOut)
        await expectTransportError(URLError(.cancelled), .cancelled)
        await expectTransportError(CancellationError(), .cancelled)
        let lost = await expectTransportError(URLError(.networkConnectionLost), .transportFailed)
        #expect((lost?.underlyingError as? URLError)?.code == .networkConnectionLost)
        let story = "transportFailed: the connection was lost before the response was complete: URLError -1005"
        #expect(lost?.description.hasSuffix(story) == true)
        let other = await expectTransportError(Fault.first, .transportFailed)
        #expect(other?.underlyingError as? Fault == .first)
    }

    @Test(arguments: [
        ("a\nb", "a\\nb"), ("a\r\nb", "a\\r\\nb"), ("\t", "\\t"), ("\u{0}\u{1B}[31m", "\\u{0}\\u{1B}[31m"),
        ("\u{85}\u{2028}\u{2029}", "\\u{85}\\u{2028}\\u{2029}"), ("\u{202E}\u{2066}", "\\u{202E}\\u{2066}"),
        ("naïve", "naïve"),
    ])
    func `a reason has escapes for line breaks and control characters, however it is set`(
        _ text: String, _ shown: String
    ) {
        var changed = ErrandError(.invalidSetting, reason: "before")
        changed.reason = text
        let failure = TransportFailure(URLError(.cannotFindHost), reason: text)
        for error in [ErrandError(.invalidSetting, reason: text), changed, ErrandError(transportFailure: failure)] {
            #expect(error.reason == shown)
            #expect(error.description.contains(shown))
        }
        #expect(failure.description == "TransportFailure -1003 \(shown)")
        changed.method = RequestMethod(rawValue: "GET\nPUT")
        #expect(changed.description == "GET\\nPUT: invalidSetting: \(shown)")
        #expect(ErrandError(.invalidSetting, lines: ["one", text]).description == "invalidSetting: one\n\(shown)")
    }

    @Test func `an error of the transport has the transport's reason`() {
        let failure = TransportFailure(URLError(.cannotConnectToHost), reason: "connection refused by a.example:80")
        let error = ErrandError(transportFailure: failure)
        #expect(error.description == "transportFailed: connection refused by a.example:80: URLError -1004")
        #expect(error.metrics == nil)
    }

    @Test(arguments: [
        (URLError(.cancelled) as any Error, "cancelled"), (CancellationError(), "cancelled"),
        (URLError(.timedOut), "timedOut"),
        (TransportFailure(URLError(.timedOut), reason: "timed out in all"), "timedOut: timed out in all"),
    ])
    func `an error description does not repeat its code`(_ cause: any Error, _ description: String) {
        #expect(ErrandError(transportFailure: cause).description == description)
    }

    @Test func `an error description has the description of its underlying error`() {
        let cause = ErrandError(.unacceptableStatusCode, reason: "the status is 400, not 200 to 299")
        let error = ErrandError(.authenticationFailed, reason: "no token", underlyingError: cause)
        #expect(
            error.description
                == "authenticationFailed: no token: unacceptableStatusCode: the status is 400, not 200 to 299")
    }

    @Test func `every transport error code is described in plain words`() {
        let codes: [URLError.Code] = [
            .badServerResponse, .badURL, .cannotConnectToHost, .cannotDecodeContentData, .cannotFindHost,
            .cannotParseResponse, .clientCertificateRejected, .clientCertificateRequired, .dataLengthExceedsMaximum,
            .httpTooManyRedirects, .networkConnectionLost, .notConnectedToInternet, .redirectToNonExistentLocation,
            .resourceUnavailable, .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateUntrusted, .unknown, .unsupportedURL, .userAuthenticationRequired,
        ]
        let reasons = codes.compactMap { ErrandError(transportFailure: URLError($0)).reason }
        #expect(Set(reasons).count == codes.count)
        #expect(reasons.allSatisfy { !$0.contains("answer") && !$0.contains("no further information") })
    }

    @Test func `cancellation errors of every kind are recognized`() {
        let cancellations: [any Error] = [
            ErrandError(.cancelled), CancellationError(), URLError(.cancelled), TransportFailure(URLError(.cancelled)),
            NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled),
        ]
        for error in cancellations { #expect(error.isCancellation, "\(error)") }
        let others: [any Error] = [
            ErrandError(.timedOut), URLError(.timedOut), Fault.first,
            ErrandError(.authenticationFailed, underlyingError: CancellationError()),
        ]
        for error in others { #expect(!error.isCancellation, "\(error)") }
    }

    @discardableResult
    private func expectTransportError(
        _ thrown: any Error, _ code: ErrandError.Code, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> ErrandError? {
        let request = Probe(RecordingTransport(), path: "/users")
        request.dataTaskPipeline = request.stub(error: thrown)
        let error = await expectFailure(code, sourceLocation: sourceLocation) { try await request.start().value }
        #expect(error?.attempts == 1, sourceLocation: sourceLocation)
        #expect(error?.method == .get, sourceLocation: sourceLocation)
        return error
    }
}

/// Secrets in the URL's user info, a query value, a header field, and the bodies of the request and the response. No
/// description of any error of the request shows them.
struct `A planted secret` {
    static let secret = "hunter2secret"

    struct Payload: Codable { var count: Int8 }

    /// A user-defined error. Its own description may show anything, but Errand's descriptions must not.
    struct Leaky: Error, CustomStringConvertible {
        var description: String { secret }
    }

    final class SecretRequest: APIBase {
        var unencodable: [String: Double]?

        override var body: RequestBody {
            get { unencodable.map { .json($0) } ?? super.body }
            set { super.body = newValue }
        }

        override init() {
            super.init()
            baseURL = URL(string: "https://user:\(secret)@example.com/v1?key=\(secret)")
            query = ["token": secret]
            headers = ["Authorization": "Bearer \(secret)", "Cookie": "id=\(secret)"]
            method = .post
            body = .text(#"{"password": "\#(secret)"}"#)
        }
    }

    static let failures: [(ErrandError.Code, Spoil)] = [
        (.missingBaseURL, { $0.baseURL = nil }),
        (.invalidURL, { $0.baseURL = URL(string: "ftp://user:\(secret)@example.com?key=\(secret)") }),
        (.invalidURL, { $0.path = "/x?token=\(secret)" }),
        (.invalidURL, { $0.path = "https://user:\(secret)@example.com/" }),
        (.invalidHeaderField, { $0.headers["X-Key"] = "\(secret)\r\n" }),
        (.invalidHeaderField, { $0.headers["X Key"] = secret }),
        (.invalidMethod, { $0.method = RequestMethod(rawValue: "GET \(secret)") }),
        (.invalidTimeout, { $0.timeoutInterval = -1 }),
        (.bodyCountMismatch, { $0.headers["Content-Length"] = "1" }),
        (.bodyCountMismatch, { $0.headers["Content-Length"] = secret }),
        (.bodyEncodingFailed, { $0.unencodable = [secret: .nan] }),
        (.transportFailed, { $0.dataTaskPipeline = $0.stub(error: Leaky()) }),
        (.transportFailed, { $0.dataTaskPipeline = $0.stub(error: foundationError(NSURLErrorNotConnectedToInternet)) }),
        (.cancelled, { $0.dataTaskPipeline = $0.stub(error: foundationError(NSURLErrorCancelled)) }),
        (.timedOut, { $0.dataTaskPipeline = $0.stub(error: urlError(.timedOut)) }),
        (.cancelled, { $0.dataTaskPipeline = $0.stub(error: urlError(.cancelled)) }),
        (.transportFailed, { $0.dataTaskPipeline = $0.stub(error: urlError(.networkConnectionLost)) }),
        (.stubsExhausted, { $0.dataTaskPipeline = $0.stub(inTurn: []) }),
        (
            .unacceptableStatusCode,
            { $0.dataTaskPipeline = $0.stubResponse(statusCode: 401, data: leaky, headers: type) }
        ),
        (.unacceptableContentType, { $0.dataTaskPipeline = $0.stubResponse(data: leaky, headers: ["X-Key": secret]) }),
        (.decodingFailed, { $0.dataTaskPipeline = $0.stubJSONResponse(data: leaky, headers: ["X-Key": secret]) }),
        (.decodingFailed, { $0.dataTaskPipeline = $0.stubJSONResponse(data: Data(secret.utf8)) }),
    ]

    typealias Spoil = @Sendable (SecretRequest) -> Void
    static let leaky = Data(#"{"count": "\#(secret)"}"#.utf8)
    static let type: HeaderFields = ["Content-Type": "application/json", "Set-Cookie": "id=\(secret)"]

    /// An error as Foundation fills it, with the whole URL.
    static func urlError(_ code: URLError.Code) -> URLError {
        URLError(
            code,
            userInfo: [
                NSURLErrorFailingURLErrorKey: URL(string: "https://user:\(secret)@example.com?key=\(secret)") as Any
            ])
    }

    /// An error as some APIs of Foundation return it: in Foundation's domain, but of another class.
    static func foundationError(_ code: Int) -> NSError {
        NSError(
            domain: NSURLErrorDomain, code: code,
            userInfo: [NSURLErrorFailingURLErrorKey: "https://user:\(secret)@example.com"])
    }

    @Test func `descriptions of requests and responses show no secret`() async throws {
        let request = SecretRequest()
        request.dataTaskPipeline = request.stubResponse(data: Self.leaky, headers: Self.type)
        let response = try await request.sendRequest().value
        let transfer = TransportRequest(try #require(request.request))
        var dumped = ""
        dump(request, to: &dumped)
        dump(response, to: &dumped)
        dump(transfer, to: &dumped)
        let texts = [
            "\(request)", "\(response)", "\(transfer)", String(reflecting: response), String(reflecting: transfer),
        ]
        for text in texts + [dumped] { #expect(!text.contains(Self.secret), "\(text)") }
    }

    @Test(arguments: failures.indices)
    func `descriptions of errors show no secret`(_ index: Int) async throws {
        let (code, spoil) = Self.failures[index]
        let request = SecretRequest()
        request.dataTaskPipeline = request.stubJSONResponse(data: Data("{}".utf8))
        spoil(request)
        let pipeline = request.sendRequest().validateStatusCode(in: 200..<300).hasContentType("application/json")
            .decodeError(Payload.self).decode(Payload.self)
        let error = try #require(await expectFailure(code) { try await pipeline.value })
        for text in descriptions(of: error) {
            #expect(!text.contains(Self.secret), "\(text)")
        }
    }

    private func descriptions(of error: ErrandError) -> [String] {
        var dumped = ""
        dump(error, to: &dumped)
        dump(error.headers, to: &dumped)
        let bridged = error as NSError
        let cause = error.underlyingError
        let causes =
            cause is Leaky
            ? [] : [cause.map { "\($0)" }, cause.map { String(reflecting: $0) }, cause?.localizedDescription]
        return [
            "\(error)", String(reflecting: error), error.localizedDescription, dumped, "\(error as any Error)",
            "\(bridged)", bridged.localizedDescription, "\(bridged.userInfo)", error.reason ?? "", "\(error.headers)",
            error.url?.absoluteString ?? "", error.method?.rawValue ?? "", "\(Result<Int, any Error>.failure(error))",
            "\(Completion<any Error>.failure(error))",
        ] + causes.compactMap(\.self)
    }
}
