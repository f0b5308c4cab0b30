import Errand
import ErrandTesting
import TestSupport
import Testing

/// The errors of requests after a failed refresh, and whether the next request refreshes again.
@Suite(.hangGuard) struct `The failure of a token refresh` {
    private let clock = ManualClock()
    private let refreshes = Recorder<Int>()

    /// Sends a request whose token must be refreshed, twice.
    private func failures(_ refresh: @escaping @Sendable () async throws -> AccessToken) async -> [ErrandError] {
        let authentication = TokenAuthentication(token: AccessToken("old"), clock: clock) { [refreshes] _ in
            refreshes.record(1)
            return try await refresh()
        }
        let send = Next { _ in DataResponse(statusCode: 401) }.preceded(by: [authentication])
        var failures: [ErrandError] = []
        for _ in 1...2 {
            do { _ = try await send(limitedRequest()) } catch let error as ErrandError { failures.append(error) } catch
            {
                Issue.record("\(error)")
            }
        }
        return failures
    }

    /// A request of the provider, as an application writes it.
    private static func grant(
        _ result: Result<DataResponse, any Error>
    ) -> Pipeline<[String], any Error> {
        let request = APIBase()
        request.url = URL(string: "https://login.example.com/token")
        request.method = .post
        request.dataTaskPipeline = Pipeline { () async throws(any Error) in try result.get() }
        return request.startRequest().validateStatusCode(in: 200..<300).decode([String].self)
    }

    private static func response(_ statusCode: Int, _ text: String = "") -> Result<DataResponse, any Error> {
        .success(DataResponse(statusCode: statusCode, data: Data(text.utf8)))
    }

    @Test(arguments: [400, 401, 403])
    func `a refresh rejected with status 400, 401 or 403 is an authentication failure`(_ statusCode: Int) async throws {
        let errors = await failures { AccessToken(try await Self.grant(Self.response(statusCode)).value[0]) }
        #expect(errors.map(\.code) == [.authenticationFailed, .authenticationFailed])
        #expect((errors.first?.underlyingError as? ErrandError)?.statusCode == statusCode)
        #expect(refreshes.elements.count == 2)
    }

    @Test(arguments: [404, 429, 500, 502, 503])
    func `a refresh with another status keeps its code, and the next request tries again`(
        _ statusCode: Int
    ) async throws {
        let errors = await failures { AccessToken(try await Self.grant(Self.response(statusCode)).value[0]) }
        #expect(errors.map(\.code) == [.unacceptableStatusCode, .unacceptableStatusCode])
        let error = try #require(errors.first)
        // Only the underlying error has the status code of the refresh.
        #expect(error.statusCode == nil)
        #expect((error.underlyingError as? ErrandError)?.statusCode == statusCode)
        #expect(error.isTransient == (statusCode != 404))
        #expect(error.reason?.hasPrefix("the token refresh failed: POST https://login.example.com/token: ") == true)
        #expect(refreshes.elements.count == 2)
    }

    @Test func `a refresh with an undecodable response keeps its code`() async throws {
        let errors = await failures { AccessToken(try await Self.grant(Self.response(200, "{}")).value[0]) }
        #expect(errors.map(\.code) == [.decodingFailed, .decodingFailed])
        #expect(errors.first?.underlyingError is DecodingError)
        #expect(refreshes.elements.count == 2)
    }

    @Test(arguments: ["rateLimited", "circuitOpen"].map(ErrandError.Code.init))
    func `a refresh that an interceptor did not send keeps its code`(_ code: ErrandError.Code) async throws {
        let cause = ErrandError(code, underlyingError: Fault.second)
        let errors = await failures { AccessToken(try await Self.grant(.failure(cause)).value[0]) }
        #expect(errors.map(\.code) == [code, code])
        #expect(errors.first?.underlyingError as? Fault == .second)
        #expect(refreshes.elements.count == 2)
    }

    @Test func `a refresh is rejected if the provider throws authenticationFailed`() async throws {
        let errors = await failures {
            throw ErrandError(.authenticationFailed, reason: "the user has signed out", underlyingError: Fault.first)
        }
        #expect(errors.map(\.code) == [.authenticationFailed, .authenticationFailed])
        #expect(errors.first?.reason?.contains("the user has signed out") == true)
        #expect(refreshes.elements.count == 2)
    }

    @Test func `another refresh error fails with tokenUnavailable, and the next request tries again`() async throws {
        let errors = await failures { throw Fault.first }
        #expect(errors.map(\.code) == [.tokenUnavailable, .tokenUnavailable])
        #expect(errors.first?.underlyingError as? Fault == .first)
        #expect(refreshes.elements.count == 2)
    }

    @Test func `a provider's own error fails with tokenUnavailable, whatever its request has received`() async throws {
        let results = [Self.response(403), Self.response(503), .failure(URLError(.cannotConnectToHost))]
        for result in results {
            let errors = await failures {
                AccessToken(try await Self.grant(result).mapError { _ in Fault.first }.value[0])
            }
            #expect(errors.map(\.code) == [.tokenUnavailable, .tokenUnavailable])
            #expect(errors.first?.underlyingError as? Fault == .first)
        }
    }

    @Test func `a CancellationError of a provider does not cancel the request`() async throws {
        let errors = await failures { throw CancellationError() }
        #expect(errors.map(\.code) == [.tokenUnavailable, .tokenUnavailable])
    }
}
