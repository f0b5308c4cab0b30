import Errand
import TestSupport
import Testing

extension `httpbin` {
    struct `Digest` {
        private static let transports = TransportUnderTest.curlOnly(
            "A Digest challenge cannot be met, and a request that may have to is refused.")

        private func request(
            _ path: RequestPath, _ transport: TransportUnderTest, password: String = "hunter2"
        ) throws -> WholeRequest {
            let request = try WholeRequest(path, transport.make())
            request.interceptors = [DigestAuthentication(user: "ursula", password: password)]
            return request
        }

        /// For a quality of protection that it does not know, httpbin offers both that it supports.
        @Test(arguments: transports, [("auth", "MD5"), ("auth", "SHA-256"), ("either", "MD5"), ("either", "SHA-256")])
        func `Digest authentication succeeds with each algorithm and quality of protection`(
            _ transport: TransportUnderTest, _ variant: (quality: String, algorithm: String)
        ) async throws {
            let path: RequestPath = "/digest-auth/\(variant.quality)/ursula/hunter2/\(variant.algorithm)"
            let pipeline = try request(path, transport).start()
            #expect(
                try await pipeline.decode(`Basic and Bearer authentication`.Authenticated.self).value.user == "ursula")
            #expect(try await pipeline.value.attempts == 1)
        }

        @Test(arguments: transports, ["MD5", "SHA-256"])
        func `Digest authentication with auth-int succeeds with an empty body`(
            _ transport: TransportUnderTest, _ algorithm: String
        ) async throws {
            let path: RequestPath = "/digest-auth/auth-int/ursula/hunter2/\(algorithm)"
            #expect(try await request(path, transport).start().value.statusCode == 200)
        }

        @Test(arguments: transports, [("auth", "MD5"), ("auth", "SHA-256"), ("auth-int", "MD5")])
        func `a wrong Digest password fails with a 401`(
            _ transport: TransportUnderTest, _ variant: (quality: String, algorithm: String)
        ) async throws {
            let path: RequestPath = "/digest-auth/\(variant.quality)/ursula/hunter2/\(variant.algorithm)"
            let wrong = try request(path, transport, password: "guess")
            let error = await expectFailure(.unacceptableStatusCode) { try await wrong.start().value }
            #expect(error?.statusCode == 401)
            #expect(error?.headers[.wwwAuthenticate]?.hasPrefix("Digest ") == true)
            let stranger = try WholeRequest(path, transport.make())
            #expect(
                await expectFailure(.unacceptableStatusCode) { try await stranger.start().value }?.statusCode == 401)
        }

        @Test(arguments: transports)
        func `a challenge with an unsupported algorithm is returned as the response`(
            _ transport: TransportUnderTest
        ) async throws {
            let request = try request("/digest-auth/auth/ursula/hunter2/SHA-512", transport)
            let error = await expectFailure(.unacceptableStatusCode) { try await request.start().value }
            #expect(error?.statusCode == 401)
            #expect(error?.headers[.wwwAuthenticate]?.contains("SHA-512") == true)
        }

        /// libcurl alone would respond to each challenge, as long as the server sends challenges.
        @Test(arguments: transports)
        func `a server that treats every nonce as stale is not retried forever`(
            _ transport: TransportUnderTest
        ) async throws {
            let request = try request("/digest-auth/auth/ursula/hunter2/MD5/0", transport)
            request.headers[.cookie] = "stale_after=0"
            let error = await expectFailure(.unacceptableStatusCode) { try await request.start().value }
            #expect(error?.statusCode == 401)
            #expect(error?.headers[.wwwAuthenticate]?.contains("stale=") == true)
        }

        @Test(arguments: transports)
        func `a nonce that is valid for one request is used once`(_ transport: TransportUnderTest) async throws {
            let session = transport.make()
            for _ in 0..<3 {
                let request = try WholeRequest("/digest-auth/auth/ursula/hunter2/MD5/1", session)
                request.headers[.cookie] = "stale_after=1"
                request.interceptors = [DigestAuthentication(user: "ursula", password: "hunter2")]
                #expect(try await request.start().value.statusCode == 200)
            }
        }

        @Test func `URLSession rejects a Digest credential and sends nothing`() async throws {
            let request = try request("/digest-auth/auth/ursula/hunter2", .urlSession)
            let error = await expectFailure(.unsupportedByTransport) { try await request.start().value }
            #expect(error?.attempts == 0)
        }
    }
}
