import ErrandTesting
import TestSupport
import Testing

@testable import Errand

struct `The outcome of an exchange` {
    private func outcome(
        _ response: DataResponse? = nil, failure: ErrandError? = nil, isAccepted: Bool = false,
        offset: Duration = .zero
    ) -> ExchangeOutcome {
        ExchangeOutcome(
            head: response.map { ResponseHead($0) }, failure: failure, duration: .seconds(1), requestBodySize: 0,
            isHead: false, collectedBodySize: nil, acceptedStatusCodes: isAccepted ? StatusCodes(100...599) : nil,
            offset: offset)
    }

    @Test(arguments: [101, 204, 304, 399, 400, 404, 503])
    func `is an error from status 400 on, unless the request accepts it`(_ status: Int) {
        let response = DataResponse(statusCode: status, headers: [:])
        #expect(outcome(response).errorType == (status < 400 ? nil : "\(status)"))
        #expect(outcome(response).isError == (status >= 400))
        #expect(!outcome(response, isAccepted: true).isError)
        #expect(outcome(response, isAccepted: true).attributes == ["http.response.status_code": .integer(status)])
    }

    @Test(arguments: [
        (ErrandError(.timedOut), "timed_out"), (ErrandError(.bodyCountMismatch), "body_count_mismatch"),
        (ErrandError(transportFailure: URLError(.cannotFindHost)), "cannot_find_host"),
        (ErrandError(transportFailure: URLError(.badURL)), "bad_url"), (ErrandError(.invalidURL), "invalid_url"),
        (ErrandError(transportFailure: URLError(.unknown)), "unknown"),
        (ErrandError(transportFailure: URLError(.callIsActive)), "transport_failed"),
        (ErrandError(transportFailure: CocoaError(.fileNoSuchFile)), "transport_failed"),
        (ErrandError(ErrandError.Code(rawValue: "user 7")), "_OTHER"),
    ])
    func `has the kind of a failure from a closed list`(_ failure: ErrandError, _ word: String) {
        #expect(outcome(failure: failure).errorType == word)
        #expect(outcome(failure: failure).isError)
        #expect(outcome(failure: failure).attributes == ["error.type": .text(word)])
    }

    @Test func `has a word for each code that the transports report`() {
        // Each is made of the name of its code.
        let words = ["could not": "cannot_connect_to_host", "timed out": "timed_out"]
        #expect(URLError.Code.cannotConnectToHost.word == words["could not"])
        #expect(URLError.Code.timedOut.word == words["timed out"])
    }

    @Test func `does not count as an error if it was cancelled`() {
        let cancelled = outcome(failure: ErrandError(.cancelled))
        #expect(cancelled.wasCancelled)
        #expect(!cancelled.isError)
        #expect(cancelled.attributes.isEmpty)
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8_080), ("[::1]:443", "::1", 443), ("[fe80::1%eth0]:1", "fe80::1%eth0", 1),
    ])
    func `has the peer`(_ remote: String, _ address: String, _ port: Int) {
        var response = DataResponse(statusCode: 200, headers: [:])
        response.metrics = TransferMetrics()
        response.metrics?.remoteAddress = remote
        #expect(outcome(response).attributes["network.peer.address"] == .text(address))
        #expect(outcome(response).attributes["network.peer.port"] == .integer(port))
        #expect(outcome(response).metricAttributes["network.peer.address"] == nil)
    }

    @Test(arguments: [("http/1.0", "1.0"), ("http/1.1", "1.1"), ("h2", "2"), ("h3", "3")])
    func `has the version of the protocol`(_ name: String, _ version: String) {
        var response = DataResponse(statusCode: 200, headers: [:])
        response.metrics = TransferMetrics()
        response.metrics?.protocolName = name
        #expect(outcome(response).metricAttributes["network.protocol.version"] == .text(version))
    }

    @Test func `has the phases that took time, measured from the beginning of the exchange`() {
        var response = DataResponse(statusCode: 200, headers: [:])
        var metrics = TransferMetrics()
        metrics.queueing = .milliseconds(1)
        metrics.nameLookup = .milliseconds(1)
        metrics.connect = .milliseconds(3)
        metrics.secureConnect = .milliseconds(7)
        metrics.firstByte = .milliseconds(10)
        metrics.total = .milliseconds(12)
        response.metrics = metrics
        func text(_ outcome: ExchangeOutcome) -> [String] {
            outcome.phases.map {
                "\($0.name) \($0.interval.lowerBound / .milliseconds(1)) to \($0.interval.upperBound / .milliseconds(1))"
            }
        }
        #expect(
            text(outcome(response)) == [
                "wait 0.0 to 1.0", "connect 1.0 to 3.0", "tls 3.0 to 7.0", "request 7.0 to 10.0",
                "response 10.0 to 12.0",
            ])
        #expect(
            text(outcome(response, offset: .milliseconds(5))) == [
                "tls 0.0 to 2.0", "request 2.0 to 5.0", "response 5.0 to 7.0",
            ])
        #expect(outcome().phases.isEmpty)
    }

    @Test func `has the sizes of the bodies`() async throws {
        struct Answering: Transport {
            let status: Int
            let headers: HeaderFields
            func send(_ request: TransportRequest) async throws -> DataResponse {
                DataResponse(statusCode: status, headers: headers, data: Data("abc".utf8))
            }
        }
        let recorder = ExchangeRecorder()
        let request = Retried(.never, method: .post)
        request.observers = [recorder]
        request.body = .data(Data("hello".utf8), type: .plainText)
        let rows: [(status: Int, headers: HeaderFields, size: Int?)] = [
            (200, [:], 3), (200, ["Content-Encoding": "gzip"], nil),
            (200, ["Content-Encoding": "gzip", "Content-Length": "9"], 9), (204, [:], 0),
            (304, ["Content-Length": "9"], 0), (302, [:], nil), (302, ["Content-Length": "9"], 9),
        ]
        for row in rows {
            request.session = Answering(status: row.status, headers: row.headers)
            _ = try await request.start().value
            #expect(recorder.entries.last?.outcomes.first?.requestBodySize == 5)
            #expect(recorder.entries.last?.outcomes.first?.responseBodySize == row.size)
        }
    }
}
