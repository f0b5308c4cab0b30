import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `A status that nothing has judged` {
    private struct Problem: Codable, Equatable, Sendable { var detail: String }

    /// A leaf of a class that sets no statuses.
    private class Leaf: APIBase {
        /// The operators of the class.
        var operators: (Pipeline<DataResponse, any Error>) -> Pipeline<DataResponse, any Error> = { $0 }

        init(status: Int = 404) {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            dataTaskPipeline = stubJSONResponse(statusCode: status, data: Data(#"{"detail":"lost"}"#.utf8))
        }

        override func startRequest() -> Pipeline<DataResponse, any Error> { operators(super.startRequest()) }
    }

    private final class Text: Leaf, Request {
        func start() -> Pipeline<String, any Error> { sendRequest().decodeText() }
    }

    /// The operators and streams that need a success.
    private static let uses: [String: @Sendable (Leaf) async throws -> Void] = [
        "decode": { _ = try await $0.sendRequest().decode(Problem.self).value },
        "decode optional": { _ = try await $0.sendRequest().decode(Problem?.self).value },
        "decodeWithResponse": { _ = try await $0.sendRequest().decodeWithResponse(Problem.self).value },
        "decodeText": { _ = try await $0.sendRequest().decodeText().value },
        "decodeVoid": { try await $0.sendRequest().decodeVoid().value },
        "decode Void": { try await $0.sendRequest().decode(Void.self).value },
        "a stream": { for try await _ in $0.sendStream() {} },
        "lines": { for try await _ in $0.sendStream().lines() {} },
        "values": { for try await _ in $0.sendStream().values(of: Problem.self) {} },
    ]

    /// The uses that accept JSON, with what is sent.
    private func expectSuccess(_ makeLeaf: () -> Leaf) async throws {
        for use in Self.uses.values { try await use(makeLeaf()) }
    }

    @Test(arguments: uses.keys.sorted(), [301, 404, 500, 199])
    func `fails where a success is needed`(_ name: String, _ status: Int) async throws {
        let use = try #require(Self.uses[name])
        let error = await expectFailure(.unacceptableStatusCode) { try await use(Leaf(status: status)) }
        #expect(error?.statusCode == status)
        #expect(error?.reason?.contains("set `acceptedStatusCodes`, or call `validateStatusCode(in:)`") == true)
        #expect(error.map { String(decoding: $0.bodyPrefix, as: UTF8.self) } == #"{"detail":"lost"}"#)
    }

    @Test func `is accepted by any setting or validation that contains it`() async throws {
        try await expectSuccess {
            let leaf = Leaf()
            leaf.acceptedStatusCodes = .all
            return leaf
        }
        try await expectSuccess {
            let leaf = Leaf()
            leaf.operators = { $0.validateStatusCode(in: 200..<500) }
            return leaf
        }
        let accepted = Leaf().sendRequest().validateStatusCode(in: [404]).decode(Problem.self)
        #expect(try await accepted.value == Problem(detail: "lost"))
        let service = APIService(acceptedStatusCodes: [404])
        #expect(try await Text().start(with: service).value == #"{"detail":"lost"}"#)
    }

    @Test func `is seen by map, by the method decode, and by open`() async throws {
        #expect(try await Leaf().sendRequest().map(\.statusCode).value == 404)
        #expect(try await Leaf().sendRequest().tryMap { try $0.decode(Problem.self) }.value == Problem(detail: "lost"))
        #expect(try await Leaf().sendStream().open().statusCode == 404)
        let text = Leaf().sendRequest().decodeText().replaceError(with: "caught")
        #expect(await text.value == "caught")
    }

    @Test func `is not assumed of a success or of a response that the caller makes`() async throws {
        try await expectSuccess { Leaf(status: 299) }
        let made = Pipeline<DataResponse, any Error>.just(DataResponse(statusCode: 404, data: Data("a".utf8)))
        #expect(try await made.decodeText().value == "a")
    }

    @Test func `is not changed by a response that an interceptor returns`() async {
        struct Replacing: Interceptor {
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                DataResponse(statusCode: 410)
            }
        }
        let leaf = Leaf(status: 200)
        leaf.interceptors = [Replacing()]
        let error = await expectFailure(.unacceptableStatusCode) { try await leaf.sendRequest().decodeVoid().value }
        #expect(error?.statusCode == 410)
    }

    @Test func `lets decodeError decode the document, before or after what judges`() async {
        let orders: [(Leaf) -> Pipeline<Void, any Error>] = [
            { $0.sendRequest().decodeError(Problem.self).decodeVoid() },
            { $0.sendRequest().decodeError(Problem.self).validateStatusCode(in: 200..<300).decodeVoid() },
            { $0.sendRequest().validateStatusCode(in: 200..<300).decodeError(Problem.self).decodeVoid() },
            { $0.sendRequest().decodeError(Problem.self).decode([Int].self).map { _ in } },
            { $0.sendRequest().decodeError(Problem.self).decodeError([Int].self).decodeVoid() },
            { $0.sendRequest().decodeError([Int].self).decodeError(Problem.self).decodeVoid() },
        ]
        for order in orders {
            let error = await expectFailure(.unacceptableStatusCode) { try await order(Leaf()).value }
            #expect(error?.payload(as: Problem.self) == Problem(detail: "lost"))
        }
    }

    @Test func `is not judged by decodeError`() async throws {
        let leaf = Leaf()
        #expect(try await leaf.sendRequest().decodeError(Problem.self).map(\.statusCode).value == 404)
        let accepted = leaf.sendRequest().decodeError(Problem.self).validateStatusCode(in: [404]).decode(Problem.self)
        #expect(try await accepted.value == Problem(detail: "lost"))
    }
}
