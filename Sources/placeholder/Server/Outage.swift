import Errand
import ErrandTesting

/// A resource that fails in turn: busy, interrupted in its response, rate-limited, and then available again.
actor Outage {
    private var turn = 0

    /// The next failure; `nil` if the resource is available.
    func next() throws -> MockResponse? {
        defer { turn += 1 }
        switch turn % 4 {
        case 0: return try Problem(503, "Busy, try again.").response
        case 1: return MockResponse.text("half of it").with(fault: .closeInBody(after: 4))
        case 2: return try Problem(429, "Too many requests.").response.with(header: "Retry-After", "1")
        default: return nil
        }
    }
}
