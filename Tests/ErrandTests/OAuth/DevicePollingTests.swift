import Testing

@testable import Errand

struct `The polling of a device` {
    private var polling = DevicePolling(interval: .seconds(5), end: .seconds(60))

    @Test func `goes on with the same interval while the user has not answered`() {
        var polling = polling
        let end = polling.failed(OAuthError(.authorizationPending), now: .seconds(5))
        #expect(end == nil && polling.interval == .seconds(5))
    }

    @Test func `becomes 5 seconds slower each time it is told to`() {
        var polling = polling
        for expected in [10, 15, 20] {
            let end = polling.failed(OAuthError(.slowDown), now: .seconds(5))
            #expect(end == nil && polling.interval == .seconds(expected))
        }
    }

    @Test func `doubles its interval when the network fails, and not beyond the end`() {
        var polling = polling
        for expected in [10, 20, 40, 60, 60] {
            let end = polling.failed(ErrandError(.timedOut), now: .seconds(5))
            #expect(end == nil && polling.interval == .seconds(expected))
        }
    }

    @Test func `ends after the time of the code`() {
        for error in [OAuthError(.authorizationPending), OAuthError(.slowDown), URLError(.timedOut)] as [any Error] {
            var polling = polling
            let end = polling.failed(error, now: .seconds(60))
            #expect((end as? OAuthError)?.code == .expiredToken)
        }
    }

    @Test func `ends with any other error`() {
        let errors: [any Error] = [
            OAuthError(.accessDenied), OAuthError(.expiredToken), OAuthError(.invalidGrant), ErrandError(.cancelled),
            ErrandError(.unacceptableStatusCode), CancellationError(), URLError(.cancelled),
        ]
        for error in errors {
            var polling = polling
            let end = polling.failed(error, now: .seconds(5))
            #expect(end.map { "\($0)" } == "\(error)")
        }
    }

    @Test func `waits a second at least`() {
        #expect(DevicePolling(interval: .zero, end: .seconds(60)).interval == .seconds(1))
    }
}
