import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

extension OneAtATime {
    /// Each fault at each stage ends with one clear error over each transport, and no request hangs.
    ///
    /// The expected outcomes are read from `Outcomes.md`.
    @Suite(.hangGuard) struct `Contract: every fault at every stage` {
        /// The point that the server has reached when the fault happens.
        enum Stage: String, CaseIterable, Sendable {
            case connecting, inTLSHandshake, beforeHead, inStatusLine, inFields, behindHead, inBody, inChunk
            case betweenChunks

            /// The part of the response that was sent.
            var bytes: String {
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
                return switch self {
                case .connecting, .inTLSHandshake, .beforeHead: ""
                case .inStatusLine: String(head.prefix(10))
                case .inFields: head
                case .behindHead: head + "Content-Length: 10\r\n\r\n"
                case .inBody: head + "Content-Length: 10\r\n\r\n01234"
                case .inChunk: head + "Transfer-Encoding: chunked\r\n\r\na\r\n01234"
                case .betweenChunks: head + "Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n"
                }
            }
        }

        /// The fault that happens there.
        enum Kind: String, CaseIterable, Sendable {
            /// The server closes, or refuses the connection.
            case close
            case reset
            /// The server stalls, and the request's idle timeout passes.
            case timeout
            /// The server stalls, and the request's resource timeout passes.
            case resourceTimeout
            /// The server stalls, and the caller cancels the request.
            case cancel
        }

        struct Case: CustomTestStringConvertible, Sendable {
            var transport: TransportUnderTest
            var stage: Stage
            var kind: Kind

            static let all = TransportUnderTest.allCases.flatMap { transport in
                Stage.allCases.flatMap { stage in
                    Kind.allCases.map { Case(transport: transport, stage: stage, kind: $0) }
                }
            }

            var testDescription: String { "\(transport): \(kind) \(stage)" }

            /// The reason why the case is not run; `nil` if it is run.
            var limit: KnownLimit? {
                // After a timeout or a cancellation, the server is released and closes the connection.
                guard transport == .urlSession, stage == .inStatusLine || stage == .inFields else { return nil }
                return .closeInsideTheHead
            }
        }

        @Test(arguments: Case.all)
        func `each fault has the outcome that the documentation lists`(_ fault: Case) async throws {
            let table = try Outcomes.table(under: "Faults over `\(fault.transport)`")
            let documented = try #require(table[fault.stage.rawValue]?[fault.kind.rawValue])
            #expect(try await outcome(of: fault) == documented)
        }

        @Test func `the documented fault table has exactly the tested stages and faults`() throws {
            for transport in TransportUnderTest.allCases {
                let table = try Outcomes.table(under: "Faults over `\(transport)`")
                #expect(Set(table.keys) == Set(Stage.allCases.map(\.rawValue)))
                for row in table.values { #expect(Set(row.keys) == Set(Kind.allCases.map(\.rawValue))) }
            }
        }

        private func outcome(of fault: Case) async throws -> String {
            if let limit = fault.limit { return "not run: `\(limit)`" }
            // Before there is a connection, a reset is the same as a refusal.
            if fault.stage == .connecting, fault.kind == .reset { return "–" }
            let arrival = Gate()
            let server = try RawServer { connection in
                // A socket that is closed with unread bytes resets its connection.
                if fault.kind == .reset { _ = connection.read(atMost: 1) } else { connection.readRequest(fault.stage) }
                try connection.write(fault.stage.bytes)
                arrival.open()
                if fault.kind != .close, fault.kind != .reset { connection.readToEnd() }
            }
            let backlog = fault.stage == .connecting ? try FullBacklog() : nil
            let refusing = fault.stage == .connecting && fault.kind == .close ? try MockServer.refusing() : nil
            var url = refusing?.url ?? backlog?.url ?? server.url
            if fault.stage == .inTLSHandshake {
                url = try #require(
                    URL(string: server.url.absoluteString.replacingOccurrences(of: "http:", with: "https:")))
            }
            let request = Probe(url, fault.transport.make())
            if fault.kind == .timeout { request.timeoutInterval = 0.05 }
            if fault.kind == .resourceTimeout { request.resourceTimeout = .milliseconds(50) }
            let pipeline = request.start()
            let task = Task { await pipeline.result }
            if fault.kind == .cancel {
                if fault.stage != .connecting { try await arrival.pass() }
                task.cancel()
            }
            return Self.text(of: await task.value)
        }

        private static func text(of outcome: Result<DataResponse, any Error>) -> String {
            switch outcome {
            case .success(let response):
                "\(response.statusCode) and \(response.data.count) bytes"
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

extension RawConnection {
    /// Reads what the client sends before the server responds.
    fileprivate func readRequest(_ stage: OneAtATime.`Contract: every fault at every stage`.Stage) {
        if stage == .inTLSHandshake { _ = read() } else { _ = readHead() }
    }
}
