import Errand
import TestSupport
import Testing

extension `httpbin` {
    struct `Statuses and retries` {
        private static let statuses = [
            200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 299, 300, 301, 302, 303, 304, 305, 306, 307, 308, 399,
            400,
            401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423,
            424,
            425, 426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511, 599,
        ]

        /// One connection for all requests: a response that is misread breaks the next one.
        @Test(arguments: TransportUnderTest.allCases, [RequestMethod.get, .post])
        func `each status code is received, and only success codes succeed`(
            _ transport: TransportUnderTest, _ method: RequestMethod
        ) async throws {
            let session = transport.make()
            for status in Self.statuses {
                let request = try WholeRequest("/status/\(status)", session)
                request.method = method
                request.redirectPolicy = .ignore
                if (200..<300).contains(status) {
                    #expect(try await request.start().value.statusCode == status)
                    continue
                }
                let error = await expectFailure(.unacceptableStatusCode) { try await request.start().value }
                #expect(error?.statusCode == status)
                #expect(error?.attempts == 1)
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `HEAD responses have the same status codes`(_ transport: TransportUnderTest) async throws {
            let session = transport.make()
            for status in [200, 204, 304, 404, 418, 500] {
                let request = try WholeRequest("/status/\(status)", session)
                request.method = .head
                request.accepted = status..<(status + 1)
                #expect(try await request.start().value.data.isEmpty)
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a failure has the response's header fields and the start of its body`(
            _ transport: TransportUnderTest
        ) async throws {
            let request = try WholeRequest("/status/418", transport.make())
            let error = await expectFailure(.unacceptableStatusCode) { try await request.start().value }
            #expect(error?.headers["x-more-info"] == "http://tools.ietf.org/html/rfc2324")
            #expect(error.map { String(decoding: $0.bodyPrefix, as: UTF8.self).contains("teapot") } == true)
            #expect(error.map { "\($0)".contains("418") && !"\($0)".contains("teapot") } == true)
        }

        @Test(arguments: TransportUnderTest.allCases, [301, 302, 303, 305, 307])
        func `a redirect with a known status is followed, and a 305 is returned`(
            _ transport: TransportUnderTest, _ status: Int
        ) async throws {
            let request = try WholeRequest("/status/\(status)", transport.make())
            if status == 305 {
                let error = await expectFailure(.unacceptableStatusCode) { try await request.start().value }
                #expect(error?.statusCode == 305)
            } else {
                #expect(try await request.start().value.url?.path == "/get")
            }
        }

        /// httpbin sends nothing after the interim response, which is not a final response (RFC 9110, section 15.2).
        @Test(arguments: TransportUnderTest.allCases, [100, 102, 103, 199])
        func `an informational response does not end the wait for the final one`(
            _ transport: TransportUnderTest, _ status: Int
        ) async throws {
            let request = try WholeRequest("/status/\(status)", transport.make())
            request.timeoutInterval = 0.3
            await expectFailure(.timedOut) { try await request.start().value }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a weighted list of status codes returns the one with weight`(
            _ transport: TransportUnderTest
        ) async throws {
            let session = transport.make()
            let request = try WholeRequest("/status/200:0,404:1,503:0", session)
            #expect(await expectFailure(.unacceptableStatusCode) { try await request.start().value }?.statusCode == 404)
            let nonsense = try WholeRequest("/status/teapot", session)
            let error = await expectFailure(.unacceptableStatusCode) { try await nonsense.start().value }
            #expect(error?.statusCode == 400)
            #expect(error?.bodyPrefix == Data("Invalid status code".utf8))
        }

        /// Half of the responses are failures: of twenty requests without retries, all succeed in one of a million
        /// runs.
        @Test(arguments: TransportUnderTest.allCases)
        func `a server that fails intermittently is retried`(_ transport: TransportUnderTest) async throws {
            let session = transport.make()
            var attempts = 0
            for _ in 0..<20 {
                let request = try WholeRequest("/status/200,503", session)
                request.retryPolicy = RetryPolicy(backoff: .immediate, maximumAttempts: 40)
                attempts += try await request.start().value.attempts
            }
            #expect(attempts > 20)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a server that always fails is retried as often as the policy allows`(
            _ transport: TransportUnderTest
        ) async throws {
            let session = transport.make()
            let failing = try WholeRequest("/status/503", session)
            failing.retryPolicy = RetryPolicy(backoff: .immediate, maximumAttempts: 4)
            #expect(await expectFailure(.unacceptableStatusCode) { try await failing.start().value }?.attempts == 4)
            failing.method = .post
            #expect(await expectFailure(.unacceptableStatusCode) { try await failing.start().value }?.attempts == 1)
            let missing = try WholeRequest("/status/404", session)
            missing.retryPolicy = failing.retryPolicy
            #expect(await expectFailure(.unacceptableStatusCode) { try await missing.start().value }?.attempts == 1)
        }
    }
}
