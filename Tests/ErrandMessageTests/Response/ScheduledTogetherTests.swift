import Errand
import TestSupport
import Testing

@Suite(.hangGuard) struct `Scheduled requests` {
    private final class Fetch: APIBase, Request {
        init(_ sent: Recorder<Int>, _ gate: Gate) {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            dataTaskPipeline = Pipeline { () async throws(any Error) in
                sent.record(1)
                try await gate.pass()
                return DataResponse(statusCode: 200)
            }
        }

        func start() -> Pipeline<Int, any Error> { sendRequest().map(\.statusCode) }
    }

    @Test func `scheduled requests are sent when awaited, and concurrently if awaited together`() async throws {
        let (sent, gate) = (Recorder<Int>(), Gate())
        let first = Fetch(sent, gate).schedule()
        let second = Fetch(sent, gate).schedule()
        #expect(sent.elements.isEmpty)
        async let one = first.value
        async let two = second.value
        try await gate.waitForArrivals(2)
        gate.open()
        #expect(try await one + two == 400)
        #expect(sent.elements.count == 2)
    }
}
