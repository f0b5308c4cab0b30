import Errand
import TestSupport
import Testing

extension `httpbin` {
    struct `Basic and Bearer authentication` {
        /// The user that the server reports.
        struct Authenticated: Decodable, Sendable {
            var authenticated: Bool
            var user: String?
            var token: String?
        }

        private static let users = [("ursula", "hunter2"), ("a b", "p:a%s #?&"), ("gänsehüter", "paßwort🙂")]

        @Test(arguments: TransportUnderTest.allCases, users)
        func `Basic authentication sends the user and password`(
            _ transport: TransportUnderTest, _ user: (name: String, password: String)
        ) async throws {
            for path in ["basic-auth", "hidden-basic-auth"] {
                let request = try DocumentRequest<Authenticated>(
                    "/\(path)/\(user.name)/\(user.password)", transport.make())
                request.interceptors = [BasicAuthentication(user: user.name, password: user.password)]
                let document = try await request.start().value
                #expect(document.authenticated)
                #expect(document.user == user.name)
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a wrong password fails with a 401, and the error does not show it`(
            _ transport: TransportUnderTest
        ) async throws {
            let request = try WholeRequest("/basic-auth/ursula/hunter2", transport.make())
            request.interceptors = [BasicAuthentication(user: "ursula", password: "s3cret-guess")]
            let error = await expectFailure(.unacceptableStatusCode) { try await request.start().value }
            #expect(error?.statusCode == 401)
            #expect(error?.headers[.wwwAuthenticate] == "Basic realm=\"Fake Realm\"")
            #expect(error?.attempts == 1)
            let text = try #require(error.map { "\($0)" })
            #expect(text.contains("401"))
            #expect(!text.contains("s3cret") && !text.contains("Basic "))
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a request without a password fails with a 401 or a 404`(_ transport: TransportUnderTest) async throws {
            let open = try WholeRequest("/basic-auth/ursula/hunter2", transport.make())
            #expect(await expectFailure(.unacceptableStatusCode) { try await open.start().value }?.statusCode == 401)
            let hidden = try WholeRequest("/hidden-basic-auth/ursula/hunter2", transport.make())
            let error = await expectFailure(.unacceptableStatusCode) { try await hidden.start().value }
            #expect(error?.statusCode == 404)
            #expect(error?.headers[.wwwAuthenticate] == nil)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a bearer token is sent unchanged`(_ transport: TransportUnderTest) async throws {
            let token = "mF_9.B5f-4.1JqM~x+y/z=="
            let request = try DocumentRequest<Authenticated>("/bearer", transport.make())
            request.interceptors = [BearerAuthentication(token: token)]
            #expect(try await request.start().value.token == token)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a request without a bearer token fails with a 401`(_ transport: TransportUnderTest) async throws {
            let request = try WholeRequest("/bearer", transport.make())
            let error = await expectFailure(.unacceptableStatusCode) { try await request.start().value }
            #expect(error?.statusCode == 401)
            #expect(error?.headers[.wwwAuthenticate] == "Bearer")
        }

        /// httpbin accepts any token of the scheme that it knows, and refuses others.
        @Test(arguments: TransportUnderTest.allCases)
        func `ten concurrent 401 responses share one token refresh`(_ transport: TransportUnderTest) async throws {
            let refreshes = Locked(0)
            let old = AccessToken("old", scheme: "Token")
            let authentication = TokenAuthentication(token: old) { _ in
                refreshes.withLock { $0 += 1 }
                return AccessToken("new")
            }
            let session = transport.make()
            let pipelines = try (0..<10).map { _ in
                let request = try DocumentRequest<Authenticated>("/bearer", session)
                request.interceptors = [authentication]
                return request.start()
            }
            let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
                for pipeline in pipelines { group.addTask { try await pipeline.value.token } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(tokens == Array(repeating: "new", count: 10))
            #expect(refreshes.withLock { $0 } == 1)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a 401 response for a refreshed token is returned`(_ transport: TransportUnderTest) async throws {
            let request = try WholeRequest("/bearer", transport.make())
            request.interceptors = [
                TokenAuthentication(token: AccessToken("old", scheme: "Token")) { _ in
                    AccessToken("new", scheme: "Token")
                }
            ]
            let error = await expectFailure(.unacceptableStatusCode) { try await request.start().value }
            #expect(error?.statusCode == 401)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a network failure of a token refresh is a transport failure`(
            _ transport: TransportUnderTest
        ) async throws {
            let request = try WholeRequest("/bearer", transport.make())
            request.interceptors = [
                TokenAuthentication(token: AccessToken("old", scheme: "Token")) { _ in throw URLError(.cannotFindHost) }
            ]
            let error = await expectFailure(.transportFailed) { try await request.start().value }
            #expect((error?.underlyingError as? URLError)?.code == .cannotFindHost)
        }
    }
}
