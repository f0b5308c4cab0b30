import Errand
import Testing

@testable import ErrandAuth

struct `The polling of a device` {
    private var polling = DevicePolling(interval: .seconds(5), end: .seconds(60))

    @Test func `the polling interval stays the same while the authorization is pending`() {
        var polling = polling
        let end = polling.failed(OAuthError(.authorizationPending), now: .seconds(5))
        #expect(end == nil && polling.interval == .seconds(5))
    }

    @Test func `each slow_down error adds 5 seconds to the polling interval`() {
        var polling = polling
        for expected in [10, 15, 20] {
            let end = polling.failed(OAuthError(.slowDown), now: .seconds(5))
            #expect(end == nil && polling.interval == .seconds(expected))
        }
    }

    @Test func `a network failure doubles the polling interval, up to the end of the code`() {
        var polling = polling
        for expected in [10, 20, 40, 60, 60] {
            let end = polling.failed(ErrandError(.timedOut), now: .seconds(5))
            #expect(end == nil && polling.interval == .seconds(expected))
        }
    }

    @Test func `a response that decides nothing doubles the polling interval`() {
        let errors: [any Error] = [
            ErrandError(.unacceptableStatusCode), ErrandError(.decodingFailed), OAuthError(.serverError),
            OAuthError(.temporarilyUnavailable), OAuthError(.init(rawValue: "Bad Gateway"), statusCode: 502),
            OAuthError(.init(rawValue: "rate limited"), statusCode: 429),
        ]
        for error in errors {
            var polling = polling
            let end = polling.failed(error, now: .seconds(5))
            #expect(end == nil && polling.interval == .seconds(10) && polling.wait == .seconds(10))
        }
    }

    @Test func `Retry-After lengthens one wait, up to the end of the code`() {
        var polling = polling
        _ = polling.failed(OAuthError(.authorizationPending), retryAfter: .seconds(20), now: .seconds(5))
        #expect(polling.wait == .seconds(20) && polling.interval == .seconds(5))
        _ = polling.failed(OAuthError(.authorizationPending), retryAfter: .seconds(2), now: .seconds(25))
        #expect(polling.wait == .seconds(5))
        _ = polling.failed(OAuthError(.slowDown), retryAfter: .seconds(2), now: .seconds(30))
        #expect(polling.wait == .seconds(10))
        _ = polling.failed(ErrandError(.timedOut), retryAfter: .seconds(900), now: .seconds(35))
        #expect(polling.wait == .seconds(25))
    }

    @Test func `polling ends when the code expires`() {
        for error in [OAuthError(.authorizationPending), OAuthError(.slowDown), URLError(.timedOut)] as [any Error] {
            var polling = polling
            let end = polling.failed(error, now: .seconds(60))
            #expect((end as? OAuthError)?.code == .expiredToken)
        }
    }

    @Test func `any other error ends the polling`() {
        let errors: [any Error] = [
            OAuthError(.accessDenied), OAuthError(.expiredToken), OAuthError(.invalidGrant),
            OAuthError(.invalidGrant, statusCode: 500), OAuthError(.init(rawValue: "declined"), statusCode: 403),
            ErrandError(.cancelled), ErrandError(.invalidURL), CancellationError(), URLError(.cancelled),
        ]
        for error in errors {
            var polling = polling
            let end = polling.failed(error, now: .seconds(5))
            #expect(end.map { "\($0)" } == "\(error)")
        }
    }

    @Test func `the polling interval is at least one second`() {
        #expect(DevicePolling(interval: .zero, end: .seconds(60)).interval == .seconds(1))
    }
}
