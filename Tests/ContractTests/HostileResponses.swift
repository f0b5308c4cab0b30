import Dispatch
import TestSupport
import Testing

@testable import Errand

extension OneAtATime {
    /// Each hostile response has one outcome over each transport, without a delay, and the transport reads no more than
    /// necessary.
    ///
    /// The expected outcomes are read from `Outcomes.md`.
    @Suite(.hangGuard) struct `Contract: hostile responses` {
        struct Case: CustomTestStringConvertible, Sendable {
            var transport: TransportUnderTest
            var response: HostileResponse

            static let all = TransportUnderTest.allCases.flatMap { transport in
                HostileResponse.allCases.map { Case(transport: transport, response: $0) }
            }

            var testDescription: String { "\(transport): \(response)" }

            /// The reason why the case is not run; `nil` if it is run.
            var limit: KnownLimit? { transport == .curl ? nil : response.limitOfURLSession }
        }

        @Test(arguments: Case.all)
        func `each hostile response has the outcome that the documentation lists`(_ hostile: Case) async throws {
            let documented = try documentedOutcome(of: hostile)
            let outcome = try await outcome(of: hostile)
            #expect(outcome == documented)
        }

        private func documentedOutcome(of hostile: Case) throws -> String {
            let name = hostile.response.rawValue
            if hostile.transport == .curl {
                let version = CurlLibrary.current.name
                let cells = try Outcomes.table(under: "With other versions of libcurl")[name] ?? [:]
                let column = cells.keys.first { column in
                    column.components(separatedBy: " and ").contains { version.hasPrefix("\($0).") }
                }
                if let cell = column.flatMap({ cells[$0] }), !cell.isEmpty { return cell }
            }
            return try #require(Outcomes.table(under: "Hostile responses")[name]?["`\(hostile.transport)`"])
        }

        @Test func `the documented table of hostile responses has exactly the tested rows`() throws {
            #expect(
                Set(try Outcomes.table(under: "Hostile responses").keys)
                    == Set(HostileResponse.allCases.map(\.rawValue)))
        }

        /// A number of bytes that is more than the buffers of two sockets hold.
        private static let enough = 16 << 20

        private func outcome(of hostile: Case) async throws -> String {
            if let limit = hostile.limit { return "not run: `\(limit)`" }
            let response = hostile.response
            let script = response.script
            let count = Locked(0)
            let server = try RawServer { connection in
                if response != .responseBeforeTheRequest { _ = connection.readHead() }
                try connection.write(script.bytes)
                if response == .responseBeforeTheRequest { _ = connection.readHead() }
                // `URLSession` on Linux continues to read after the request has ended, so the server stops at a limit.
                while !script.refrain.isEmpty, count.withLock({ $0 }) < Self.enough {
                    try connection.write(script.refrain)
                    count.withLock { $0 += script.refrain.count }
                }
                if !script.closes || !script.refrain.isEmpty { connection.readToEnd() }
            }
            let request = Probe(server.url, hostile.transport.make())
            request.maximumBodySize = 1 << 20
            if response.isEndedByTime(over: hostile.transport) { request.timeoutInterval = 0.05 }
            let outcome = Self.text(of: await request.start().result)
            // The bytes in transit when the client closes the connection fit into the buffers of two sockets.
            if hostile.transport == .curl { #expect(count.withLock { $0 } < Self.enough) }
            return outcome
        }

        private static func text(of outcome: Result<DataResponse, any Error>) -> String {
            switch outcome {
            case .success(let received):
                "\(received.statusCode), \(received.data.isEmpty ? "no body" : "`\(received.text)`")"
            case .failure(let error as ErrandError) where error.code == .transportFailed:
                (error.underlyingError as? URLError).map { "`\($0.code.name)`" } ?? "\(error)"
            case .failure(let error as ErrandError):
                "`\(error.code)`"
            case .failure(let error):
                "\(error)"
            }
        }
    }
}
