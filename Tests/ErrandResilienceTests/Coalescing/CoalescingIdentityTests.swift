import Errand
import TestSupport
import Testing

@testable import ErrandResilience

@Suite(.hangGuard) struct `Coalescing over several transports` {
    private let coalescing = Coalescing()
    private let gate = Gate()

    /// Starts one GET over each transport, which all run when this returns, and returns the responses.
    private func responses(
        over transports: [any Transport], waiting: Int, network: (any TestNetwork)? = nil
    ) async throws -> [String] {
        var tasks: [Task<String, any Error>] = []
        for (index, transport) in transports.enumerated() {
            let request = CoalescedRequest(coalescing, transport)
            let pipeline = await network?.asTestNetwork { request.start() } ?? request.start()
            tasks.append(Task { try await pipeline.value })
            // A request that is not coalesced does not wait for another.
            try await waitUntil { coalescing.waitingCount == index + 1 || gate.arrivals == index + 1 }
        }
        #expect(coalescing.waitingCount == waiting)
        gate.open()
        var responses: [String] = []
        for task in tasks { responses.append(try await task.value) }
        return responses
    }

    @Test func `requests over different transports are not coalesced`() async throws {
        let transports = [Gated(gate, "a"), Gated(gate, "b")]
        let responses = try await responses(over: [transports[0], transports[1], transports[0]], waiting: 3)
        #expect(responses == ["a", "b", "a"])
        #expect(gate.arrivals == 2)
    }

    @Test func `requests over equal transport values are coalesced`() async throws {
        let transports = ["a", "b", "a"].map { HashableValue(transport: Gated(gate, $0), name: $0) }
        #expect(try await responses(over: transports, waiting: 3) == ["a", "b", "a"])
        #expect(gate.arrivals == 2)
    }

    @Test func `requests over transport values that cannot be compared are not coalesced`() async throws {
        let transports = ["a", "b", "a"].map { Value(transport: Gated(gate, $0)) }
        #expect(try await responses(over: transports, waiting: 0) == ["a", "b", "a"])
        #expect(gate.arrivals == 3)
    }

    @Test func `coalescing compares the transports under a test network`() async throws {
        let (one, other) = (Gated(gate, "a"), Gated(gate, "b"))
        let responses = try await responses(over: [one, other, one], waiting: 3, network: Passing())
        #expect(responses == ["a", "b", "a"])
        #expect(gate.arrivals == 2)
    }

    @Test func `requests with different client certificates are not coalesced`() {
        let keys = ["a", "b", nil, "a"].map { certificate in
            var request = limitedRequest()
            request.clientCertificate = certificate
            return CoalescingKey(request)
        }
        #expect(Set(keys).count == 3)
        #expect(keys[0] == keys[3])
    }
}

private final class CoalescedRequest: APIBase, Request {
    init(_ coalescing: Coalescing, _ transport: some Transport) {
        super.init()
        baseURL = URL(string: "https://api.example.com")
        interceptors = [coalescing]
        session = transport
    }

    func start() -> Pipeline<String, any Error> { sendRequest().decodeText() }
}

/// Responds with its name once the gate is open.
private final class Gated: Transport {
    private let gate: Gate
    private let name: String

    init(_ gate: Gate, _ name: String) {
        self.gate = gate
        self.name = name
    }

    func send(_ request: TransportRequest) async throws -> DataResponse {
        try await gate.pass()
        return DataResponse(statusCode: 200, data: Data(name.utf8))
    }
}

private struct Value: Transport {
    let transport: Gated

    func send(_ request: TransportRequest) async throws -> DataResponse { try await transport.send(request) }
}

private struct HashableValue: Transport, Hashable {
    let transport: Gated
    let name: String

    static func == (one: HashableValue, other: HashableValue) -> Bool { one.name == other.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
    func send(_ request: TransportRequest) async throws -> DataResponse { try await transport.send(request) }
}

/// Passes every request to its transport.
private final class Passing: TestNetwork {
    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse { try await next(request) }
    func webSocketStub(for request: TransportRequest) throws -> (any Transport)? { nil }
}
