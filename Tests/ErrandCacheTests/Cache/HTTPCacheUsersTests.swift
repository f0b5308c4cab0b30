import Errand
import TestSupport
import Testing

@Suite(.hangGuard) struct `Users with separate caches` {
    let clock = WallClock()
    let origin = Origin { request in
        .ok(request.value(forHTTPHeaderField: "Authorization") ?? "nobody", ["Cache-Control": "max-age=60"])
    }

    @Test func `requests with different credentials have separate stored responses`() async throws {
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

    @Test func `unknown fields separate stored responses, and trace and agent fields do not`() async throws {
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

    @Test func `the user info of a URL separates stored responses`() async throws {
        let cache = HTTPCache(now: clock.read)
        for user in ["a:1", "b:1", "a:2"] {
            let request = CacheableRequest(cache, origin)
            request.baseURL = URL(string: "https://\(user)@api.example.com")
            #expect(try await request.start().value.source == .network)
            #expect(try await request.start().value.source == .cache)
        }
    }

    @Test func `the credential for Digest authentication separates stored responses`() async throws {
        let cache = HTTPCache(now: clock.read)
        for (user, password) in [("a", "1"), ("b", "1"), ("a", "2")] {
            let request = CacheableRequest(cache, origin)
            request.interceptors = [DigestAuthentication(user: user, password: password), cache]
            #expect(try await request.start().value.source == .network)
            #expect(try await request.start().value.source == .cache)
        }
    }

    @Test func `the client certificate of the session separates stored responses`() async throws {
        let cache = HTTPCache(now: clock.read)
        let responder = Responding(response: .ok("own", ["Cache-Control": "max-age=60"]))
        for certificate in ["a", "b", nil] {
            var configuration = CurlConfiguration()
            configuration.tls.identity = certificate.map { .init(certificate: .file($0), key: .file("key")) }
            let request = CacheableRequest(cache, CurlTransport(configuration))
            request.interceptors.append(responder)
            #expect(try await request.start().value.source == .network)
            #expect(try await request.start().value.source == .cache)
        }
    }

    @Test(arguments: [true, false])
    func `an API key separates stored responses, whether the request or an interceptor sets it`(
        _ isOwn: Bool
    ) async throws {
        let cache = HTTPCache(now: clock.read)
        let origin = Origin { request in
            .ok(request.value(forHTTPHeaderField: "X-Api-Key") ?? "nobody", ["Cache-Control": "max-age=60"])
        }
        for key in ["a", "b"] {
            let request = CacheableRequest(cache, origin, headers: isOwn ? ["X-API-KEY": key] : [:])
            request.interceptors = [APIKeyAuthentication(isOwn ? "none" : key, in: .header("X-Api-Key")), cache]
            #expect(try await request.start().value.text == key)
            let again = try await request.start().value
            #expect(again.text == key)
            #expect(again.source == .cache)
        }
        #expect(origin.count == 2)
    }

    @Test func `the name of the API key field separates stored responses`() async throws {
        let cache = HTTPCache(now: clock.read)
        for name in ["X-One", "X-Two"] {
            let request = CacheableRequest(cache, origin)
            request.interceptors = [APIKeyAuthentication("key", in: .header(name)), cache]
            #expect(try await request.start().value.source == .network)
        }
    }

    @Test func `a partition closure replaces the automatic separation of stored responses`() async throws {
        let cache = HTTPCache(partition: { $0.value(forHTTPHeaderField: "X-User") }, now: clock.read)
        func source(_ user: String, _ token: String) async throws -> ResponseSource {
            try await cache.get(origin, headers: ["X-User": user, "Authorization": token]).source
        }
        #expect(try await source("ann", "old") == .network)
        #expect(try await source("ann", "new") == .cache)
        #expect(try await source("bob", "new") == .network)
    }

    @Test func `an authentication interceptor before the cache separates stored responses`() async throws {
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
            let request = CacheableRequest(cache, origin)
            request.interceptors = [Signing(token: token), cache]
            #expect(try await request.start().value.text == token)
        }
    }
}

/// Responds in place of the session, which sends nothing.
private struct Responding: Interceptor {
    let response: DataResponse
    var placement: InterceptorPlacement { .asListed }

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse { response }
}
