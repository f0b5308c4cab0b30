public import Errand

/// A switch by which tests never reach another machine.
///
/// While it is on, every request of the process that has no stub, whose task has no stubs or cassette, and which does
/// not go to this machine, fails with `notStubbed`. That includes a detached task, which does not inherit the stubs of
/// a test, and code that runs before or after `stubs.run`. One line switches it on for the rest of the process, such as
/// in `setUp` of XCTest or in the initializer of a suite:
///
/// ```swift
/// NetworkWall.enable()
/// ```
///
/// With Swift Testing, the trait `.networkWall` of ErrandTestingTraits switches it on while a test or a suite runs.
/// Tests that run at the same time are in the same process, so they need stubs too.
///
/// Requests to `localhost` and to the addresses of this machine, such as those to a `MockServer`, are sent. Their
/// redirects to other machines fail. Names that end with `.invalid`, which no machine has, are looked up. A cassette
/// that records sends its requests. A custom `Transport` is not stopped, because most are made for tests.
public enum NetworkWall {
    /// Switches the wall on for the rest of the process. Further calls have no effect.
    public static func enable() {
        TestedTransport.beginFallback(Refusal())
    }

    /// Runs a closure with the wall.
    package static func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        TestedTransport.beginFallback(Refusal())
        defer { TestedTransport.endFallback() }
        return try await body()
    }
}

extension ErrandError.Code {
    /// A request to another machine has no stub while the ``NetworkWall`` is on.
    public static let notStubbed = ErrandError.Code(rawValue: "notStubbed")
}

/// The network of requests that are outside of a test's stubs.
private final class Refusal: TestNetwork {
    var peer: Peer { .server }

    /// Sends a request to this machine, and follows only redirects to this machine.
    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        try Self.check(request.urlRequest)
        let refused = Locked<URLRequest?>(nil)
        let policy = request.redirectPolicy
        var sent = request
        sent.redirectPolicy = .decide { response, next in
            guard policy.follows(response, next) else { return false }
            let isLocal = next.isLocal
            if !isLocal { refused.withLock { $0 = next } }
            return isLocal
        }
        let response = try await next(sent)
        if let request = refused.withLock(\.self) { try Self.check(request) }
        return response
    }

    func webSocketStub(for request: TransportRequest) throws -> (any Transport)? {
        try Self.check(request.urlRequest)
        return nil
    }

    private static func check(_ request: URLRequest) throws(ErrandError) {
        guard !request.isLocal else { return }
        let reason =
            "the network wall is on, and the request has no stub; stubs by route do not apply to `Task.detached`, nor "
            + "outside of `run`"
        throw ErrandError(.notStubbed, reason: reason).with(request: request)
    }
}

extension URLRequest {
    fileprivate var isLocal: Bool {
        guard let host = url?.host()?.lowercased() else { return false }
        return host.isLoopback || host.hasSuffix(".invalid")
    }
}

extension RedirectPolicy {
    /// Whether this redirect is followed.
    fileprivate func follows(_ response: DataResponse, _ next: URLRequest) -> Bool {
        switch self {
        case .follow: true
        case .ignore: false
        case .decide(let shouldFollow): shouldFollow(response, next)
        }
    }
}
