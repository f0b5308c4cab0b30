import TestSupport
import Testing

@testable import Errand

/// Values of each public type that can hold a secret, with the secret in each property, and the names of the types that
/// cannot.
enum PublicTypes {
    static let secret = "hunter2"

    private static let url = URL(string: "https://hunter2:hunter2@api.example.com/users?api_key=hunter2")
    private static let shelf = URL(fileURLWithPath: "/shelf")
    private static let data = Data("{\"password\": \"hunter2\"}".utf8)
    private static let fields: HeaderFields = ["Authorization": "Bearer hunter2", "Set-Cookie": "id=hunter2"]

    private static var failure: ErrandError {
        var error = ErrandError(.unacceptableStatusCode, underlyingError: URLError(.badURL))
        error.url = url?.redacted
        error.bodyPrefix = data
        error.headers = fields
        return error
    }

    private static var request: APIBase {
        let request = APIBase()
        request.baseURL = url
        request.path = "/users"
        request.query = ["api_key": secret]
        request.headers = fields
        request.body = .data(data)
        request.interceptors = [BearerAuthentication(token: secret)]
        return request
    }

    private static var urlRequest: URLRequest {
        guard let url else { preconditionFailure("the URL is valid") }
        var request = URLRequest(url: url)
        request.setValue("Bearer hunter2", forHTTPHeaderField: "Authorization")
        request.httpBody = data
        return request
    }

    private static var response: DataResponse {
        DataResponse(
            statusCode: 200, headers: fields, url: url, body: ResponseBody(data), trailers: ResponseTrailers(fields))
    }

    private static var streamed: DataResponse {
        DataResponse(statusCode: 200, headers: fields, url: url, body: ResponseBody { data })
    }

    private static let aws = AWSCredential(id: "id", secret: secret, sessionToken: secret)

    private static let tokens = OAuthTokens(accessToken: AccessToken(secret), refreshToken: secret)

    private static var oauth: OAuthClient {
        OAuthClient(
            id: "app", secret: secret, server: OAuthServer(tokenEndpoint: url?.absoluteString ?? ""),
            service: APIService(interceptors: [BearerAuthentication(token: secret)]))
    }

    private static let baseURL = url.map { BaseURL($0) }

    private static var settings: RequestSettings {
        RequestSettings(
            baseURL: baseURL, headers: fields, interceptors: [BearerAuthentication(token: secret)],
            asynchronousHeaders: { fields })
    }

    private static var service: APIService<any Error> { APIService(settings) }

    private static var endpoint: Endpoint<[String]> {
        .post(url: url, query: ["api_key": secret], headers: fields, body: .data(data), settings: settings)
    }

    private static var webSocketEndpoint: WebSocketEndpoint<String, String> {
        WebSocketEndpoint(url: url, query: ["api_key": secret], headers: fields, settings: settings, coding: .text)
    }

    private static var jar: CookieJar {
        let jar = CookieJar()
        if let url { try? jar.setCookie("sid=hunter2", for: url) }
        return jar
    }

    private static let stream = BodyStream(AsyncStream { $0.yield(data) })

    /// The values, by the name of their type.
    static var values: [String: [Any]] {
        var values: [String: [Any]] = [
            "APIKeyAuthentication": [
                APIKeyAuthentication(secret, in: .header("X-Key")), APIKeyAuthentication(secret, in: .query("key")),
            ],
            "APIBase": [request], "APIService": [service],
            "AWSCredential": [aws], "AWSSignature": [AWSSignature(aws, region: "x", service: "s3")],
            "AccessToken": [AccessToken(secret)],
            "BasicAuthentication": [BasicAuthentication(user: secret, password: secret)],
            "BearerAuthentication": [BearerAuthentication(token: secret)],
            "BaseURL": [baseURL as Any],
            "BodyStream": [stream],
            "CacheEntry": [
                CacheEntry(
                    statusCode: 200, headers: fields, body: data, requestDate: .distantPast,
                    responseDate: .distantPast, variant: secret)
            ],
            "CacheKey": [CacheKey(TransportRequest(urlRequest), url: urlRequest.url ?? shelf, partition: secret)],
            "CookieJar": [jar], "CookieJar.Cookie": jar.cookies,
            "DataResponse": [response, streamed],
            "DecodedResponse": [DecodedResponse(value: secret, response: response)],
            "DigestAuthentication": [DigestAuthentication(user: secret, password: secret)],
            "Endpoint": [endpoint],
            "ErrandError": [failure],
            "FailedAttempt": [
                FailedAttempt(request: TransportRequest(urlRequest), outcome: .success(response)),
                FailedAttempt(request: TransportRequest(urlRequest), outcome: .failure(failure)),
            ],
            "HeaderFields": [fields], "HeaderFields.Field": Array(fields),
            "InterceptorList": [[BearerAuthentication(token: secret)] as InterceptorList],
            "MessageSignature": [
                MessageSignature(.hmacSHA256(id: "id", secret: Data(secret.utf8)), covering: [.method])
            ],
            "MessageSignature.Key": [MessageSignature.Key.hmacSHA256(id: "id", secret: Data(secret.utf8))],
            "MultipartForm": [MultipartForm([.text("password", secret)])],
            "MultipartForm.Part": [MultipartForm.Part.text("password", secret)],
            "Multipart": [Multipart.mixed([Multipart.Part(.text(secret), headers: ["X-Key": secret])])],
            "Multipart.Part": [Multipart.Part(.text(secret), headers: ["X-Key": secret])],
            "BodyPart": [BodyPart(headers: ["X-Key": secret], data: Data(secret.utf8))],
            "OAuthAuthorization": [
                OAuthAuthorization(url: url ?? shelf, redirectURI: "app:/", state: secret, codeVerifier: secret)
            ],
            "OAuthClient": [oauth], "OAuthClientCredentials": [OAuthClientCredentials(oauth)],
            "OAuthDeviceAuthorization": [
                OAuthDeviceAuthorization(
                    userCode: secret, verificationURI: shelf, verificationURIComplete: url, lifetime: .seconds(1),
                    interval: .seconds(1), code: Secret(secret), scope: [], timeline: Timeline(ContinuousClock()))
            ],
            "OAuthServer": [oauth.server], "OAuthSession": [OAuthSession(oauth, tokens: tokens)],
            "OAuthTokens": [tokens],
            "PasswordCredential": [PasswordCredential(user: secret, password: secret)],
            "QueryValue": [QueryValue.text(secret)],
            "RequestBody": [
                RequestBody.data(data), RequestBody.text(secret), RequestBody.json([secret]),
                RequestBody.stream(stream),
            ],
            "RequestSettings": [settings],
            "ResponseBody": [ResponseBody(data), streamed.body],
            "RequestOutcome": [
                RequestOutcome(
                    request: TransportRequest(urlRequest), head: ResponseHead(response), result: .success(secret),
                    duration: .zero),
                RequestOutcome(
                    request: TransportRequest(urlRequest), head: nil, result: .failure(URLError(.badURL)),
                    duration: .zero),
            ],
            "ResponseHead": [ResponseHead(response)],
            "ResponseTrailers": [ResponseTrailers(fields)],
            "ScheduledRequest": [ScheduledRequest(Pipeline { secret })],
            "ServerSentEvent": [ServerSentEvent(data: secret, id: secret)],
            "Pipeline": [Pipeline<String, any Error> { secret }],
            "TokenAuthentication": [TokenAuthentication(token: AccessToken(secret)) { _ in AccessToken(secret) }],
            "TransportFailure": [
                TransportFailure(URLError(.badURL, userInfo: [NSURLErrorFailingURLErrorKey: url ?? shelf]))
            ],
            "TransportRequest": [TransportRequest(urlRequest)],
            "URLQuery": [["api_key": secret] as URLQuery],
            "WebSocketEndpoint": [webSocketEndpoint],
            "WebSocketMessage": [WebSocketMessage.text(secret), WebSocketMessage.data(data)],
        ]
        #if canImport(CCurl)
        var configuration = CurlConfiguration()
        configuration.proxy = .server(shelf, user: secret, password: secret)
        configuration.nameService = .https(URL(string: "https://hunter2@names.example/dns-query") ?? shelf)
        configuration.tls.identity = .init(certificate: .file("c"), key: .data(data), passphrase: secret)
        values["CurlConfiguration"] = [configuration]
        values["CurlConfiguration.Proxy"] = [configuration.proxy]
        values["NameService"] = [configuration.nameService]
        values["TLSConfiguration"] = [configuration.tls]
        values["TLSConfiguration.Identity"] = [configuration.tls.identity ?? "none"]
        values["TLSConfiguration.Identity.PEM"] = [TLSConfiguration.Identity.PEM.data(data)]
        values["CurlTransport"] = [CurlTransport(configuration)]
        #endif
        return values
    }

    /// Types that hold numbers, names from the program, functions or values of the types above. Also types whose
    /// content is meant to be read, such as documents.
    static let others: Set<String> = [
        "APIKeyAuthentication.Placement", "AsyncBytes", "AsyncLines", "AttemptTimeout", "AuthenticationChallenge",
        "AuthenticationChallenge.Parameter", "BodyParts", "ByteRange", "CancellationToken", "CircuitBreaker",
        "CircuitBreaker.CircuitState", "CircuitBreaker.OpenCircuit", "CircuitBreaker.Transition",
        "CircuitBreaker.Tripping", "CircuitBreaker.Verdict", "Coalescing", "Completion", "ConcurrencyLimit",
        "ContentDisposition", "ContentDisposition.Parameter", "ContentRange", "ContentType", "ContentType.Parameter",
        "CookieJar.Cookie.SameSite", "CurlConfiguration.Version", "CurlTransport.Shutdown", "DiskCacheStore",
        "DownloadedFile", "DrivenPages", "EntityTag", "EntityTags", "ErrandError", "ErrandError.Code", "EventSource",
        "EventSourceReconnection", "EventValues", "Failover", "FastJSONDecoder", "FastJSONEncoder", "FileDigest",
        "FileDigest.Algorithm", "HTTPCache", "HTTPDate", "HeaderFields.Name", "Hedging", "Hedging.Delay",
        "HookInterceptor", "JSONFraming", "JSONLocation", "JSONMergePatch", "JSONNumber", "JSONPatch",
        "JSONPatch.Failure", "JSONPatch.Operation", "JSONResults", "JSONValue", "JSONValues", "LimitScope",
        "LogDisclosure", "LogDisclosure.Item", "LogEntry", "LogEntry.Event", "LogLevel", "LoggingInterceptor",
        "MeasuredProgress", "MemoryCacheStore", "MergedPipelines", "MessageSignature.Component", "Next",
        "OAuthClient.Authentication", "OAuthError", "OAuthError.Code",
        "ObservableRequest", "PageInfo", "PageInfo.Next", "PageItems", "PageLimits", "PagePosition", "Pages",
        "PaginationStyle", "PipelinePromise", "PoolMetrics", "PoolMetrics.Counts", "ProblemDetails", "PublicSuffixes",
        "RateLimit", "RedirectPolicy", "RequestMethod", "RequestPath", "RequestPriority", "ResolvedHost",
        "ResponseSource", "ResponseStream", "RetryAfterPause", "RetryBudget", "RetryDecision", "RetryInterceptor",
        "RetryPolicy", "RetryPolicy.Backoff", "ServerSentEvents", "StatusCodes", "StatusCodes.Bound",
        "TLSConfiguration.Version", "TimedCache", "TraceContext", "TraceParent", "TransferMetrics",
        "TransferProgress", "TransferProgress.Measurement", "TransferProgress.Snapshot", "URLQuery.BooleanStyle",
        "URLQuery.DateStyle", "URLQuery.ListStyle", "URLQuery.NestingStyle", "URLSessionTransport", "WebLink",
        "WebLink.Parameter", "WebSocket", "WebSocketCloseCode", "WebSocketClosure", "WebSocketCoding",
        "WebSocketOpening", "WebSocketOptions", "WebSocketOptions.Compression", "WebSocketOptions.Heartbeat",
        "WebSocketPeer", "WebSocketReconnection", "WebSocketStub",
    ]
}

struct `The descriptions of public types` {
    @Test(arguments: PublicTypes.values.keys.sorted())
    func `no public type shows a secret in its description`(_ name: String) throws {
        for value in try #require(PublicTypes.values[name]) {
            var dumped = ""
            dump(value, to: &dumped)
            dump([value], to: &dumped)
            let wrapped: [String: Any] = ["key": value]
            for text in ["\(value)", String(reflecting: value), "\(wrapped)", dumped] {
                #expect(!text.contains(PublicTypes.secret), "\(text)")
                // The secret does not appear in base64 or as bytes either.
                #expect(!["aHVudGVy", "104, 117, 110", "- 104\n"].contains { text.contains($0) }, "\(text)")
            }
        }
    }

    /// Returns the names of the public types that a source file declares, such as `HeaderFields.Field`. Iterators are
    /// omitted: they hold what they have read and are not meant for printing.
    private func publicTypes(in source: String) -> [String] {
        // The type or extension that is open at each depth.
        var path: [Substring] = []
        var names: [String] = []
        let declaration = #/( *)(?:[a-z]+ )*?(?:actor|class|enum|struct|extension) ([A-Z][A-Za-z.]*).*/#
        for line in source.split(separator: "\n") {
            guard let match = line.wholeMatch(of: declaration) else { continue }
            path = path.prefix(match.1.count / 4) + [match.2]
            guard line.contains(#/^ *(public|open) /#), match.2 != "AsyncIterator" else { continue }
            names.append(path.joined(separator: "."))
        }
        return names.filter { !$0.contains("AsyncIterator") && !$0.hasSuffix("StringInterpolation") }
    }

    /// The sources of this package, whose public types are found by their declarations.
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources").standardized

    @Test(.enabled(if: FileManager.default.fileExists(atPath: sources.path)))
    func `every public type is tested for secrets in its description`() throws {
        var declared: Set<String> = []
        let files = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            let folder = file.path.dropFirst(Self.sources.path.count + 1).prefix { $0 != "/" }
            guard ["Errand", "ErrandJSON"].contains(folder) else { continue }
            declared.formUnion(publicTypes(in: try String(contentsOf: file, encoding: .utf8)))
        }
        #expect(declared.count > 80)
        #expect(declared.symmetricDifference(PublicTypes.others.union(PublicTypes.values.keys)).sorted() == [])
    }
}
