import Dispatch
import TestSupport
import Testing

@testable import Errand

extension OneAtATime {
    /// Each hostile response over each transport has one outcome, soon, and the transport reads no more than it must.
    ///
    /// The expected outcomes are read from the guide Proof.
    @Suite("Contract: hostile answers", .hangGuard) struct HostileAnswers {
        struct Case: CustomTestStringConvertible, Sendable {
            var transport: TransportUnderTest
            var answer: HostileAnswer

            static let all = TransportUnderTest.allCases.flatMap { transport in
                HostileAnswer.allCases.map { Case(transport: transport, answer: $0) }
            }

            var testDescription: String { "\(transport): \(answer)" }

            /// The reason why the case is not run; `nil` if it is run.
            var limit: KnownLimit? { transport == .curl ? nil : answer.limitOfURLSession }
        }

        @Test(arguments: Case.all)
        func `have the outcome that the documentation says`(_ hostile: Case) async throws {
            let told = try told(of: hostile)
            let outcome = try await outcome(of: hostile)
            #expect(outcome == told)
        }

        private func told(of hostile: Case) throws -> String {
            let name = hostile.answer.rawValue
            if hostile.transport == .curl {
                let version = LibraryVersion.current.name
                let cells = try ProofPage.table(under: "With other versions of libcurl")[name] ?? [:]
                let column = cells.keys.first { column in
                    column.components(separatedBy: " and ").contains { version.hasPrefix("\($0).") }
                }
                if let cell = column.flatMap({ cells[$0] }), !cell.isEmpty { return cell }
            }
            return try #require(ProofPage.table(under: "Hostile answers")[name]?["`\(hostile.transport)`"])
        }

        @Test func `have no row in the documentation that is not tried`() throws {
            #expect(
                Set(try ProofPage.table(under: "Hostile answers").keys) == Set(HostileAnswer.allCases.map(\.rawValue)))
        }

        /// A number of bytes that is more than the buffers of two sockets hold.
        private static let enough = 16 << 20

        private func outcome(of hostile: Case) async throws -> String {
            if let limit = hostile.limit { return "not run: `\(limit)`" }
            let answer = hostile.answer
            let script = answer.script
            let count = Locked(0)
            let server = try RawServer { connection in
                if answer != .answerBeforeTheRequest { _ = connection.readHead() }
                try connection.write(script.bytes)
                if answer == .answerBeforeTheRequest { _ = connection.readHead() }
                // `URLSession` on Linux reads on after the request has ended, so the server stops at a limit.
                while !script.refrain.isEmpty, count.withLock({ $0 }) < Self.enough {
                    try connection.write(script.refrain)
                    count.withLock { $0 += script.refrain.count }
                }
                if !script.closes || !script.refrain.isEmpty { connection.readToEnd() }
            }
            let request = Probe(server.url, hostile.transport.make())
            request.maximumBodySize = 1 << 20
            if answer.isEndedByTime { request.timeoutInterval = 0.05 }
            let outcome = Self.text(of: await request.start().result)
            // The bytes in transit when the client gave up fit into the buffers of two sockets.
            if !answer.isEndedByTime, hostile.transport == .curl { #expect(count.withLock { $0 } < Self.enough) }
            return outcome
        }

        private static func text(of outcome: Result<DataResponse, any Error>) -> String {
            switch outcome {
            case .success(let response):
                "\(response.statusCode), \(response.data.isEmpty ? "no body" : "`\(response.text)`")"
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
