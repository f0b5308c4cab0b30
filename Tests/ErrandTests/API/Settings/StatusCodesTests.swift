import Errand
import TestSupport
import Testing

struct `Accepted status codes` {
    private static let codes: [(StatusCodes, [Int], String)] = [
        (.all, [0, 100, 200, 299, 300, 404, 599, 999], "0 or more"),
        (.successful, [200, 299], "200 to 299"),
        (200..<300, [200, 299], "200 to 299"),
        (200...300, [200, 299, 300], "200 to 300"),
        ([404, 200], [200, 404], "200 or 404"),
        ([], [], "none"),
        (StatusCodes(300...), [300, 404, 599, 999], "300 or more"),
        (StatusCodes(0...Int.max), [0, 100, 200, 299, 300, 404, 599, 999], "0 or more"),
        (StatusCodes(Int.min..<300), [0, 100, 200, 299], "\(Int.min) to 299"),
        (StatusCodes(200..<200), [], "none"),
        (StatusCodes(Set(200..<300)), [200, 299], "200 to 299"),
        (StatusCodes([299, 300, 200, 299]), [200, 299, 300], "200 or 299 to 300"),
    ]

    @Test(arguments: codes) func `are a range, a list or a set`(
        _ accepted: StatusCodes, _ expected: [Int], _ description: String
    ) {
        #expect([0, 100, 200, 299, 300, 404, 599, 999].filter { accepted.contains($0) } == expected)
        #expect("\(accepted)" == description)
    }

    @Test func `can be changed by one code`() {
        var codes: StatusCodes = 200..<300
        codes.insert(404)
        codes.insert(250)
        #expect("\(codes)" == "200 to 299 or 404")
        codes.insert(300)
        #expect("\(codes)" == "200 to 300 or 404")
        codes.remove(204)
        codes.remove(404)
        codes.remove(500)
        #expect("\(codes)" == "200 to 203 or 205 to 300")
        codes.insert(204)
        #expect(codes == StatusCodes(200...300))
        codes.insert(100)
        #expect("\(codes)" == "100 or 200 to 300")
    }

    @Test func `a range of numbers remains a range`() {
        let range = 200..<300
        let closed = 1...3
        #expect(range.count + closed.count == 103)
        #expect((0..<3).map { $0 } == [0, 1, 2])
    }

    @Test(arguments: [200, 404, 500])
    func `are the same for a class, a service and an endpoint`(_ statusCode: Int) async throws {
        final class Leaf: APIBase, Request {
            func start() -> Pipeline<Void, any Error> { sendRequest().decode(Void.self) }
        }
        let transport = RecordingTransport(response: DataResponse(statusCode: statusCode))
        let plain = APIService(baseURL: "a.example", session: transport)
        let accepting = APIService(baseURL: "a.example", session: transport, acceptedStatusCodes: [200, 404])
        let leaf = Leaf()
        leaf.acceptedStatusCodes = [200, 404]
        let settings = RequestSettings(acceptedStatusCodes: [200, 404])
        let outcomes = [
            await leaf.schedule(with: plain).result, await Leaf().schedule(with: accepting).result,
            await accepting.send(Endpoint<Void>(.get)).result,
            await plain.send(Endpoint<Void>(.get, settings: settings)).result,
        ]
        for outcome in outcomes {
            switch outcome {
            case .success: #expect(statusCode != 500)
            case .failure(let error):
                #expect(statusCode == 500)
                #expect((error as? ErrandError)?.reason == "the status is 500, not 200 or 404")
            }
        }
        // By default, an endpoint accepts only successful ones, and the operators of a leaf without an output too.
        if statusCode == 200 {
            try await Leaf().schedule(with: plain).value
            try await plain.send(Endpoint<Void>(.get)).value
        } else {
            await expectFailure(.unacceptableStatusCode) { try await Leaf().schedule(with: plain).value }
            await expectFailure(.unacceptableStatusCode) { try await plain.send(Endpoint<Void>(.get)).value }
        }
    }
}
