import Errand
import TestSupport
import Testing

/// A computed property of a service or a request that has the wrong type fails with an error that names it. It is never
/// ignored.
struct `A property of a type that does not fit` {
    /// A value that is the wrong type for every property.
    private struct Misfit: Sendable {}

    private let transport = RecordingTransport(response: DataResponse(statusCode: 200))

    private final class APIProbe: APIBase, Request {
        override init() {
            super.init()
            baseURL = URL(string: "https://api.example.com")
        }

        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    private struct Home: APIService {
        let baseURL = "api.example.com"
        let session: any Transport
    }

    private func expectRefusal(
        _ name: String, _ request: some DeclarativeRequest, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await expectFailure(.invalidSetting, sourceLocation: sourceLocation) {
            try await request.schedule(with: Home(session: transport)).value
        }
        expect(error, names: name, of: type(of: request), sourceLocation)
    }

    private func expectRefusal(
        _ name: String, _ service: some APIService, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let probe = APIProbe()
        probe.session = transport
        let error = await expectFailure(.invalidSetting, sourceLocation: sourceLocation) {
            try await probe.schedule(with: service).value
        }
        expect(error, names: name, of: type(of: service), sourceLocation)
    }

    private func expect(_ error: ErrandError?, names name: String, of owner: Any.Type, _ location: SourceLocation) {
        let beginning = "the property `\(name)` of \(owner) is of type Misfit, which is not "
        #expect(error?.reason?.hasPrefix(beginning) == true, "\(error as Any)", sourceLocation: location)
        #expect(transport.sent.elements.isEmpty, sourceLocation: location)
    }

    @Test func `a request property of the wrong type fails with its name`() async {
        await expectRefusal("baseURL", RequestBaseURL(value: Misfit()))
        await expectRefusal("headers", RequestHeaders(value: Misfit()))
        await expectRefusal("session", RequestSession(value: Misfit()))
        await expectRefusal("interceptors", RequestInterceptors(value: Misfit()))
        await expectRefusal("retryPolicy", RequestRetryPolicy(value: Misfit()))
        await expectRefusal("hook", RequestHook(value: Misfit()))
        await expectRefusal("decoder", RequestDecoder(value: Misfit()))
        await expectRefusal("encoder", RequestEncoder(value: Misfit()))
        await expectRefusal("acceptedStatusCodes", RequestAcceptedStatusCodes(value: Misfit()))
        await expectRefusal("acceptedContentTypes", RequestAcceptedContentTypes(value: Misfit()))
        await expectRefusal("timeoutInterval", RequestTimeoutInterval(value: Misfit()))
        await expectRefusal("resourceTimeout", RequestResourceTimeout(value: Misfit()))
        await expectRefusal("maximumBodySize", RequestMaximumBodySize(value: Misfit()))
        await expectRefusal("redirectPolicy", RequestRedirectPolicy(value: Misfit()))
        await expectRefusal("priority", RequestPriority(value: Misfit()))
        await expectRefusal("cachePolicy", RequestCachePolicy(value: Misfit()))
        await expectRefusal("isSecure", RequestIsSecure(value: Misfit()))
        await expectRefusal("method", RequestMethod(value: Misfit()))
        await expectRefusal("url", RequestUrl(value: Misfit()))
        await expectRefusal("path", RequestPath(value: Misfit()))
        await expectRefusal("query", RequestQuery(value: Misfit()))
        await expectRefusal("pagePosition", RequestPagePosition(value: Misfit()))
        await expectRefusal("defaultHeaders", RequestDefaultHeaders(value: Misfit()))
        await expectRefusal("body", RequestBody(value: Misfit()))
        await expectRefusal("payload", RequestPayload(value: Misfit()))
    }

    @Test func `a service property of the wrong type fails with its name`() async {
        await expectRefusal("baseURL", ServiceBaseURL(value: Misfit()))
        await expectRefusal("headers", ServiceHeaders(value: Misfit()))
        await expectRefusal("session", ServiceSession(value: Misfit()))
        await expectRefusal("interceptors", ServiceInterceptors(value: Misfit()))
        await expectRefusal("retryPolicy", ServiceRetryPolicy(value: Misfit()))
        await expectRefusal("hook", ServiceHook(value: Misfit()))
        await expectRefusal("decoder", ServiceDecoder(value: Misfit()))
        await expectRefusal("encoder", ServiceEncoder(value: Misfit()))
        await expectRefusal("acceptedStatusCodes", ServiceAcceptedStatusCodes(value: Misfit()))
        await expectRefusal("acceptedContentTypes", ServiceAcceptedContentTypes(value: Misfit()))
        await expectRefusal("timeoutInterval", ServiceTimeoutInterval(value: Misfit()))
        await expectRefusal("resourceTimeout", ServiceResourceTimeout(value: Misfit()))
        await expectRefusal("maximumBodySize", ServiceMaximumBodySize(value: Misfit()))
        await expectRefusal("redirectPolicy", ServiceRedirectPolicy(value: Misfit()))
        await expectRefusal("priority", ServicePriority(value: Misfit()))
        await expectRefusal("cachePolicy", ServiceCachePolicy(value: Misfit()))
        await expectRefusal("isSecure", ServiceIsSecure(value: Misfit()))
    }
}

private struct RequestBaseURL<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var baseURL: Value { value }
}

private struct RequestHeaders<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var headers: Value { value }
}

private struct RequestSession<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var session: Value { value }
}

private struct RequestInterceptors<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var interceptors: Value { value }
}

private struct RequestRetryPolicy<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var retryPolicy: Value { value }
}

private struct RequestHook<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var hook: Value { value }
}

private struct RequestDecoder<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var decoder: Value { value }
}

private struct RequestEncoder<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var encoder: Value { value }
}

private struct RequestAcceptedStatusCodes<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var acceptedStatusCodes: Value { value }
}

private struct RequestAcceptedContentTypes<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var acceptedContentTypes: Value { value }
}

private struct RequestTimeoutInterval<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var timeoutInterval: Value { value }
}

private struct RequestResourceTimeout<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var resourceTimeout: Value { value }
}

private struct RequestMaximumBodySize<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var maximumBodySize: Value { value }
}

private struct RequestRedirectPolicy<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var redirectPolicy: Value { value }
}

private struct RequestPriority<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var priority: Value { value }
}

private struct RequestCachePolicy<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var cachePolicy: Value { value }
}

private struct RequestIsSecure<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var isSecure: Value { value }
}

private struct RequestMethod<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var method: Value { value }
}

private struct RequestUrl<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var url: Value { value }
}

private struct RequestPath<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var path: Value { value }
}

private struct RequestQuery<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var query: Value { value }
}

private struct RequestPagePosition<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var pagePosition: Value { value }
}

private struct RequestDefaultHeaders<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var defaultHeaders: Value { value }
}

private struct RequestBody<Value: Sendable>: DeclarativeRequest {
    typealias Output = Void
    let value: Value
    var body: Value { value }
}

private struct RequestPayload<Value: Sendable>: JSONRequest {
    typealias Output = Void
    let value: Value
    let method = Errand.RequestMethod.post
    var payload: Value { value }
}

private struct ServiceBaseURL<Value: Sendable>: APIService {
    let value: Value
    var baseURL: Value { value }
}

private struct ServiceHeaders<Value: Sendable>: APIService {
    let value: Value
    var headers: Value { value }
}

private struct ServiceSession<Value: Sendable>: APIService {
    let value: Value
    var session: Value { value }
}

private struct ServiceInterceptors<Value: Sendable>: APIService {
    let value: Value
    var interceptors: Value { value }
}

private struct ServiceRetryPolicy<Value: Sendable>: APIService {
    let value: Value
    var retryPolicy: Value { value }
}

private struct ServiceHook<Value: Sendable>: APIService {
    let value: Value
    var hook: Value { value }
}

private struct ServiceDecoder<Value: Sendable>: APIService {
    let value: Value
    var decoder: Value { value }
}

private struct ServiceEncoder<Value: Sendable>: APIService {
    let value: Value
    var encoder: Value { value }
}

private struct ServiceAcceptedStatusCodes<Value: Sendable>: APIService {
    let value: Value
    var acceptedStatusCodes: Value { value }
}

private struct ServiceAcceptedContentTypes<Value: Sendable>: APIService {
    let value: Value
    var acceptedContentTypes: Value { value }
}

private struct ServiceTimeoutInterval<Value: Sendable>: APIService {
    let value: Value
    var timeoutInterval: Value { value }
}

private struct ServiceResourceTimeout<Value: Sendable>: APIService {
    let value: Value
    var resourceTimeout: Value { value }
}

private struct ServiceMaximumBodySize<Value: Sendable>: APIService {
    let value: Value
    var maximumBodySize: Value { value }
}

private struct ServiceRedirectPolicy<Value: Sendable>: APIService {
    let value: Value
    var redirectPolicy: Value { value }
}

private struct ServicePriority<Value: Sendable>: APIService {
    let value: Value
    var priority: Value { value }
}

private struct ServiceCachePolicy<Value: Sendable>: APIService {
    let value: Value
    var cachePolicy: Value { value }
}

private struct ServiceIsSecure<Value: Sendable>: APIService {
    let value: Value
    var isSecure: Value { value }
}
