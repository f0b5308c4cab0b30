import TestSupport
import Testing

@testable import Errand

/// Values of each public type that can hold a secret, with the secret in each property, and the names of the types that
/// cannot.
private enum Printed {
    static let secret = PublicTypes.secret

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
                APIKeyAuthentication(secret, in: .cookie("key")),
            ],
            "APIBase": [request], "APIService": [service],
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
            "MultipartForm": [MultipartForm([.text("password", secret)])],
            "MultipartForm.Part": [MultipartForm.Part.text("password", secret)],
            "Multipart": [Multipart.mixed([Multipart.Part(.text(secret), headers: ["X-Key": secret])])],
            "Multipart.Part": [Multipart.Part(.text(secret), headers: ["X-Key": secret])],
            "BodyPart": [BodyPart(headers: ["X-Key": secret], data: Data(secret.utf8))],
            "StreamedPart": [StreamedPart(headers: ["X-Key": secret], body: ResponseBody(data))],
            "PasswordCredential": [PasswordCredential(user: secret, password: secret)],
            "QueryValue": [QueryValue.text(secret)],
            "RequestBody": [
                RequestBody.data(data), RequestBody.text(secret), RequestBody.json([secret]),
                RequestBody.stream(stream),
            ],
            "RequestSettings": [settings],
            "ResponseBody": [ResponseBody(data), streamed.body],
            "ObservedExchange": [
                ObservedExchange(
                    boxedRequest: Boxed(TransportRequest(urlRequest)), resendCount: 0, redirected: nil)
            ],
            "ExchangeOutcome": [
                ExchangeOutcome(
                    head: ResponseHead(response), failure: failure, duration: .zero,
                    requestBodySize: 1, isHead: false, collectedBodySize: 1, acceptedStatusCodes: nil, offset: .zero)
            ],
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
        "APIKeyAuthentication.Placement", "AsyncBytes", "AttemptTimeout", "AuthenticationChallenge", "ByteRange",
        "CancellationToken", "Completion", "ContentDisposition", "ContentRange", "ContentType",
        "CookieJar.Cookie.SameSite", "CurlConfiguration.Version", "DiskCacheStore", "DownloadedFile", "EntityTag",
        "EntityTags", "ErrandError", "ErrandError.Code", "EventSource", "EventSourceReconnection", "ExchangeAttribute",
        "ExchangeSummary", "FastJSONDecoder", "FastJSONEncoder", "FileDigest", "FileDigest.Algorithm", "HTTPCache",
        "HTTPDate", "HeaderFields.Name",
        "HeaderFields.Parameter", "InterceptorPlacement", "JSONFraming", "JSONLocation", "JSONMergePatch", "JSONNumber",
        "JSONPatch",
        "JSONPatch.Failure", "JSONPatch.Operation", "JSONValue", "LogDisclosure", "LogDisclosure.Item", "LogEntry",
        "LogEntry.Event", "LogLevel", "LoggingInterceptor", "MemoryCacheStore", "Next", "ObservableRequest", "PageInfo",
        "PageInfo.Next", "PageLimits", "PagePosition", "Pages", "PaginationStyle", "PipelinePromise", "PoolMetrics",
        "ProblemDetails", "PublicSuffixes", "RedirectPolicy", "RequestHook", "RequestMethod", "RequestPath",
        "RequestPriority", "ResolvedHost", "ResponseSource", "ResponseStream", "RetryBudget", "RetryDecision",
        "RetryInterceptor", "RetryPolicy", "RetryPolicy.Backoff", "StatusCodes", "StatusCodes.Bound",
        "TLSConfiguration.Version", "TimedCache", "TraceContext", "TraceParent", "TransferMetrics", "TransferProgress",
        "TransferProgress.Measurement", "TransferProgress.Snapshot", "URLQuery.BooleanStyle", "URLQuery.DateStyle",
        "URLQuery.ListStyle", "URLQuery.NestingStyle", "URLSessionTransport",
    ]
}

struct `The descriptions of public types` {
    private static let types = PublicTypes(
        of: ["Errand", "ErrandJSON"], values: { Printed.values }, others: Printed.others)

    @Test(arguments: types.names)
    func `no public type shows a secret in its description`(_ name: String) throws {
        try Self.types.expectNoSecret(in: name)
    }

    private struct Account: Confidential {
        let password = PublicTypes.secret
        var description: String { "an account" }
    }

    @Test func `dump shows the description of a confidential value as its only child`() {
        var dumped = ""
        dump(Account(), to: &dumped)
        #expect(dumped == "▿ an account\n  - description: \"an account\"\n")
    }

    @Test(.enabled(if: PublicTypes.hasSources))
    func `every public type is tested for secrets in its description`() throws {
        try Self.types.expectToBeComplete()
    }
}
