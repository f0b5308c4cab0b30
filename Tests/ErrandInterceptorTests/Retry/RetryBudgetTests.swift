import Errand
import ErrandTesting
import TestSupport
import Testing

struct `A retry budget` {
    @Test func `a retry budget is full at first and never overdrawn`() {
        let budget = RetryBudget(ratio: 0.1, capacity: 3)
        #expect((1...5).map { _ in budget.withdraw() } == [true, true, true, false, false])
    }

    @Test func `a retry budget with ratio 0.1 allows one retry per ten requests`() {
        let budget = RetryBudget(ratio: 0.1, capacity: 1)
        #expect(budget.withdraw())
        for _ in 1...9 { budget.deposit() }
        #expect(!budget.withdraw())
        budget.deposit()
        #expect(budget.withdraw())
    }

    @Test func `a retry budget never exceeds its capacity`() {
        let budget = RetryBudget(ratio: 1, capacity: 2)
        for _ in 1...100 { budget.deposit() }
        #expect(budget.tokens == 2)
    }

    @Test(arguments: [Double.nan, -1, -Double.infinity])
    func `a retry budget ignores an invalid ratio`(_ ratio: Double) {
        let budget = RetryBudget(ratio: ratio, capacity: 1)
        _ = budget.withdraw()
        budget.deposit()
        #expect(!budget.withdraw())
    }

    @Test func `a retry budget limits extreme values`() {
        let empty = RetryBudget(ratio: .infinity, capacity: -1)
        empty.deposit()
        #expect(!empty.withdraw())
        let full = RetryBudget(ratio: .infinity, capacity: .max)
        full.deposit()
        #expect(full.tokens == 1_000_000)
    }

    @Test func `a retry budget limits retries during an outage and explains the failure`() async throws {
        final class Down: APIBase, Request {
            static let budget = RetryBudget(ratio: 0.1, capacity: 5)
            override init() {
                super.init()
                baseURL = URL(string: "https://api.example.com")
                retryPolicy = .immediate
                retryPolicy?.budget = Self.budget
            }

            func start() -> Pipeline<DataResponse, any Error> { sendRequest().validateStatusCode(in: 200..<300) }
        }
        var attempts = 0
        var reason: String?
        for _ in 1...100 {
            let request = Down()
            request.dataTaskPipeline = request.stubResponse(statusCode: 503)
            let error = await expectFailure(.unacceptableStatusCode) { try await request.start().value }
            attempts += error?.attempts ?? 0
            reason = error?.reason
        }
        // These are the five initial retries, and one for ten requests since then. Without the budget, there would be
        // 200.
        #expect(attempts == 100 + 5 + 9)
        #expect(reason?.contains("budget") == true)
    }
}
