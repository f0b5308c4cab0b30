import Errand
import TestSupport
import Testing

@testable import placeholder

struct `A policy that says how long it waits` {
    private let told = Recorder<Duration>()

    private func retries(_ policy: RetryPolicy) -> AnnouncedRetries {
        AnnouncedRetries(policy: policy) { [told] _, wait in told.record(wait) }
    }

    @Test func `announced retries decide like the policy and announce only the delays`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1"))
        let request = TransportRequest(URLRequest(url: url))
        let retrier = retries(.constant(.seconds(2), maximumAttempts: 2)).makeRetrier(for: request)
        let failure = Result<DataResponse, any Error>.success(DataResponse(statusCode: 503))
        let decisions = [
            await retrier.decide(after: FailedAttempt(request: request, number: 1, outcome: failure)),
            await retrier.decide(after: FailedAttempt(request: request, number: 2, outcome: failure)),
        ]
        #expect(decisions == [.retry(after: .seconds(2)), .stop])
        #expect(told.elements == [.seconds(2)])
    }

    @Test func `announced retries prepare a request like the policy`() throws {
        var policy = RetryPolicy.immediate
        policy.addsIdempotencyKey = true
        var post = URLRequest(url: try #require(URL(string: "http://127.0.0.1")))
        post.httpMethod = "POST"
        let prepared = retries(policy).prepare(TransportRequest(post))
        #expect(prepared.urlRequest.value(forHTTPHeaderField: "Idempotency-Key") != nil)
    }
}
