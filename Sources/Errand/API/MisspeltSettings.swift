public import Foundation

// Names from other libraries, so that the compiler names the setting. They are not members of the class, so that a leaf
// can have properties of these names. In a leaf, a variable of such a name outside of it needs the name of its module
// or type.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Stubbable where Self: APIBase {
    @available(*, unavailable, renamed: "baseURL")
    public var baseUrl: URL? {
        get { unavailable }
        nonmutating set {}
    }

    @available(*, unavailable, renamed: "method")
    public var httpMethod: RequestMethod {
        get { unavailable }
        nonmutating set {}
    }

    @available(*, unavailable, renamed: "query")
    public var queryItems: URLQuery {
        get { unavailable }
        nonmutating set {}
    }

    @available(*, unavailable, renamed: "query")
    public var queryParameters: URLQuery {
        get { unavailable }
        nonmutating set {}
    }

    @available(*, unavailable, renamed: "query")
    public var parameters: URLQuery {
        get { unavailable }
        nonmutating set {}
    }

    @available(*, unavailable, renamed: "query")
    public var params: URLQuery {
        get { unavailable }
        nonmutating set {}
    }

    @available(*, unavailable, renamed: "headers")
    public var header: HeaderFields {
        get { unavailable }
        nonmutating set {}
    }

    @available(*, unavailable, renamed: "headers")
    public var httpHeaders: HeaderFields {
        get { unavailable }
        nonmutating set {}
    }

    @available(*, unavailable, renamed: "body")
    public var httpBody: RequestBody {
        get { unavailable }
        nonmutating set {}
    }

    @available(*, unavailable, renamed: "timeoutInterval")
    public var timeout: TimeInterval? {
        get { unavailable }
        nonmutating set {}
    }

    @available(*, unavailable, renamed: "sendRequest")
    public func send() -> Pipeline<DataResponse, any Error> { unavailable }

    @available(*, unavailable, message: "a leaf sends itself: `request.start()` or `request.schedule()`")
    public func send<Leaf: Request>(_ request: Leaf) -> ScheduledRequest<Leaf.Output, Leaf.Failure> { unavailable }

    // No program can call what is unavailable.
    private var unavailable: Never { fatalError("unavailable") }
}
