public import Foundation

// Names that other libraries use, so that the compiler says the name of the setting. They are in an extension of a
// protocol and not in the class, so that a leaf can have properties with these names. A leaf that uses a variable with
// such a name from outside must write its module or type before it.

extension Stubbable where Self: APIBase {
    /// The setting is ``APIBase/baseURL``.
    @available(*, unavailable, renamed: "baseURL")
    public var baseUrl: URL? {
        get { unavailable }
        nonmutating set {}
    }

    /// The setting is ``APIBase/method``.
    @available(*, unavailable, renamed: "method")
    public var httpMethod: RequestMethod {
        get { unavailable }
        nonmutating set {}
    }

    /// The setting is ``APIBase/query``.
    @available(*, unavailable, renamed: "query")
    public var queryItems: URLQuery {
        get { unavailable }
        nonmutating set {}
    }

    /// The setting is ``APIBase/query``.
    @available(*, unavailable, renamed: "query")
    public var parameters: URLQuery {
        get { unavailable }
        nonmutating set {}
    }

    /// The setting is ``APIBase/query``.
    @available(*, unavailable, renamed: "query")
    public var params: URLQuery {
        get { unavailable }
        nonmutating set {}
    }

    /// The setting is ``APIBase/headers``.
    @available(*, unavailable, renamed: "headers")
    public var header: HeaderFields {
        get { unavailable }
        nonmutating set {}
    }

    /// The setting is ``APIBase/body``.
    @available(*, unavailable, renamed: "body")
    public var httpBody: RequestBody {
        get { unavailable }
        nonmutating set {}
    }

    /// The setting is ``APIBase/timeoutInterval``.
    @available(*, unavailable, renamed: "timeoutInterval")
    public var timeout: TimeInterval? {
        get { unavailable }
        nonmutating set {}
    }

    /// The method is ``APIBase/sendRequest()``.
    @available(*, unavailable, renamed: "sendRequest")
    public func send() -> Pipeline<DataResponse, any Error> { unavailable }

    /// A leaf sends itself: ``Request/start()``.
    @available(*, unavailable, message: "a leaf sends itself: `request.start()` or `request.schedule()`")
    public func send<Leaf: Request>(_ request: Leaf) -> ScheduledRequest<Leaf.Output, Leaf.Failure> { unavailable }

    // No program can call this, because what uses it does not compile.
    private var unavailable: Never { fatalError("unavailable") }
}
