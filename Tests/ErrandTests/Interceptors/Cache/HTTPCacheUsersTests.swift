import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `What sets users apart` {
    let clock = WallClock()
    let origin = Origin { request in
        .ok(request.value(forHTTPHeaderField: "Authorization") ?? "nobody", ["Cache-Control": "max-age=60"])
    }

    @Test func `is what the request shows of them`() async throws {
        let cache = HTTPCache(now: clock.read)
        for field in ["Authorization", "Cookie"] {
            for value in ["a", "b"] {
                #expect(try await cache.get(origin, headers: [HeaderFields.Name(field): value]).source == .network)
                #expect(try await cache.get(origin, headers: [HeaderFields.Name(field): value]).source == .cache)
            }
        }
        #expect(try await cache.get(origin).source == .network)
        #expect(try await cache.get(origin, headers: ["Authorization": "a"]).text == "a")
        #expect(try await cache.get(origin, headers: ["Authorization": "b"]).text == "b")
        #expect(origin.count == 5)
    }

    @Test func `is any field that may be a credential, and none of which each request has its own`() async throws {
        let cache = HTTPCache(now: clock.read)
        for value in ["a", "b"] {
            #expect(try await cache.get(origin, headers: ["X-Session": value]).source == .network)
            #expect(try await cache.get(origin, headers: ["X-Session": value]).source == .cache)
        }
        for (index, name) in ["traceparent", "X-Request-ID", "User-Agent", "Accept"].enumerated() {
            let headers: HeaderFields = ["X-Session": "a", HeaderFields.Name(name): "\(index)"]
            #expect(try await cache.get(origin, headers: headers).source == .cache)
        }
    }

    @Test func `is the user info of the URL`() async throws {
        let cache = HTTPCache(now: clock.read)
        for user in ["a:1", "b:1", "a:2"] {
            let request = Asking(cache, origin)
            request.baseURL = URL(string: "https://\(user)@api.example.com")
            #expect(try await request.start().value.source == .network)
            #expect(try await request.start().value.source == .cache)
        }
    }

    @Test func `is the credential for Digest`() async throws {
        let cache = HTTPCache(now: clock.read)
        for (user, password) in [("a", "1"), ("b", "1"), ("a", "2")] {
            let request = Asking(cache, origin)
            request.interceptors = [DigestAuthentication(user: user, password: password), cache]
            #expect(try await request.start().value.source == .network)
            #expect(try await request.start().value.source == .cache)
        }
    }

    @Test func `is the client certificate of the session`() async throws {
        let cache = HTTPCache(now: clock.read)
        let answering = Answering(response: .ok("own", ["Cache-Control": "max-age=60"]))
        for certificate in ["a", "b", nil] {
            var configuration = CurlConfiguration()
            configuration.tls.identity = certificate.map { .init(certificate: .file($0), key: .file("key")) }
            let request = Asking(cache, CurlTransport(configuration))
            request.interceptors.append(answering)
            #expect(try await request.start().value.source == .network)
            #expect(try await request.start().value.source == .cache)
        }
    }

    @Test(arguments: [true, false])
    func `is the key in a header field, whoever set it`(_ isOwn: Bool) async throws {
        let cache = HTTPCache(now: clock.read)
        let origin = Origin { request in
            .ok(request.value(forHTTPHeaderField: "X-Api-Key") ?? "nobody", ["Cache-Control": "max-age=60"])
        }
        for key in ["a", "b"] {
            let request = Asking(cache, origin, headers: isOwn ? ["X-API-KEY": key] : [:])
            request.interceptors = [APIKeyAuthentication(isOwn ? "none" : key, in: .header("X-Api-Key")), cache]
            #expect(try await request.start().value.text == key)
            let again = try await request.start().value
            #expect(again.text == key)
            #expect(again.source == .cache)
        }
        #expect(origin.count == 2)
    }

    @Test func `is the name of the field that a key is in, too`() async throws {
        let cache = HTTPCache(now: clock.read)
        for name in ["X-One", "X-Two"] {
            let request = Asking(cache, origin)
            request.interceptors = [APIKeyAuthentication("key", in: .header(name)), cache]
            #expect(try await request.start().value.source == .network)
        }
    }

    @Test func `is what the caller names instead`() async throws {
        let cache = HTTPCache(partition: { $0.value(forHTTPHeaderField: "X-User") }, now: clock.read)
        func source(_ user: String, _ token: String) async throws -> ResponseSource {
            try await cache.get(origin, headers: ["X-User": user, "Authorization": token]).source
        }
        #expect(try await source("ann", "old") == .network)
        #expect(try await source("ann", "new") == .cache)
        #expect(try await source("bob", "new") == .network)
    }

    @Test func `is added by whatever authenticates in front of the cache`() async throws {
        struct Signing: Interceptor {
            let token: String
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                var request = request
                request.urlRequest.setValue(token, forHTTPHeaderField: "Authorization")
                return try await next(request)
            }
        }
        let cache = HTTPCache(now: clock.read)
        for token in ["a", "b"] {
            let request = Asking(cache, origin)
            request.interceptors = [Signing(token: token), cache]
            #expect(try await request.start().value.text == token)
        }
    }
}

/// Responds in place of the session, which sends nothing.
private struct Answering: Interceptor {
    let response: DataResponse

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse { response }
}
