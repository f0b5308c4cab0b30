import Errand
import TestSupport
import Testing

/// Every operator is tested with a value that is available and with one that arrives later.
enum Upstream: CaseIterable, Sendable {
    case immediate, suspending

    func just(_ value: Int) -> Pipeline<Int, Fault> {
        switch self {
        case .immediate: .just(value)
        case .suspending:
            Pipeline { () async throws(Fault) in
                await Task.yield()
                return value
            }
        }
    }

    func fail(_ fault: Fault) -> Pipeline<Int, Fault> {
        switch self {
        case .immediate: .fail(fault)
        case .suspending:
            Pipeline { () async throws(Fault) in
                await Task.yield()
                throw fault
            }
        }
    }
}

@Suite(.serialized) struct `A transforming operator` {
    @Test(arguments: Upstream.allCases)
    func `map changes the value and passes the failure`(_ upstream: Upstream) async {
        #expect(await upstream.just(2).map { "\($0)" }.result == .success("2"))
        #expect(await upstream.fail(.first).map { "\($0)" }.result == .failure(.first))
    }

    @Test(arguments: Upstream.allCases)
    func `tryMap changes the value and fails with what its closure throws`(_ upstream: Upstream) async throws {
        #expect(try await upstream.just(2).tryMap { $0 + 1 }.value == 3)
        await #expect(throws: Fault.second) { try await upstream.just(2).tryMap { _ in throw Fault.second }.value }
        await #expect(throws: Fault.first) { try await upstream.fail(.first).tryMap { $0 }.value }
    }

    @Test(arguments: Upstream.allCases)
    func `flatMap continues with another pipeline unless the first failed`(_ upstream: Upstream) async {
        #expect(await upstream.just(2).flatMap { upstream.just($0 * 2) }.result == .success(4))
        #expect(await upstream.just(2).flatMap { _ in upstream.fail(.second) }.result == .failure(.second))
        let made = Recorder<Int>()
        let failed = upstream.fail(.first).flatMap { value in
            made.record(value)
            return upstream.just(value)
        }
        #expect(await failed.result == .failure(.first))
        #expect(made.elements.isEmpty)
    }

    @Test(arguments: Upstream.allCases)
    func `mapError changes the failure and its type`(_ upstream: Upstream) async {
        struct Other: Error, Equatable { var cause: Fault }
        #expect(await upstream.fail(.first).mapError { Other(cause: $0) }.result == .failure(Other(cause: .first)))
        #expect(await upstream.just(1).mapError { Other(cause: $0) }.result == .success(1))
    }

    @Test(arguments: Upstream.allCases)
    func `catch continues after a failure, and its pipeline may fail`(_ upstream: Upstream) async {
        #expect(await upstream.fail(.first).catch { _ in upstream.just(9) }.result == .success(9))
        #expect(await upstream.fail(.first).catch { _ in upstream.fail(.second) }.result == .failure(.second))
        #expect(await upstream.just(1).catch { _ in upstream.just(9) }.result == .success(1))
    }

    @Test(arguments: Upstream.allCases)
    func `replaceError makes a pipeline that cannot fail`(_ upstream: Upstream) async {
        let replaced = await upstream.fail(.first).replaceError(with: 0).value
        #expect(replaced == 0)
        let untouched = await upstream.just(1).replaceError(with: 0).value
        #expect(untouched == 1)
    }

    @Test(arguments: Upstream.allCases)
    func `setFailureType changes the failure type of a pipeline that cannot fail`(_ upstream: Upstream) async {
        let fitting = upstream.just(1).replaceError(with: 0).setFailureType(to: Fault.self)
        #expect(await fitting.flatMap { _ in upstream.fail(.second) }.result == .failure(.second))
    }

    @Test(arguments: Upstream.allCases)
    func `handleEvents observes the run in order and changes nothing`(_ upstream: Upstream) async {
        let events = Recorder<String>()
        func watched(_ pipeline: Pipeline<Int, Fault>) -> Pipeline<Int, Fault> {
            pipeline.handleEvents(
                receiveStart: { events.record("start") },
                receiveOutput: { events.record("output \($0)") },
                receiveCompletion: { events.record("\($0)") },
                receiveCancel: { events.record("cancel") })
        }
        #expect(await watched(upstream.just(1)).result == .success(1))
        #expect(await watched(upstream.fail(.first)).result == .failure(.first))
        #expect(
            events.elements == ["start", "output 1", "finished", "start", "failure(\(Fault.first))"].map(qualified))
    }

    /// `Completion` prints its payload with the module's name.
    private func qualified(_ event: String) -> String {
        event.replacingOccurrences(of: "failure(first)", with: "failure(TestTools.Fault.first)")
    }

    @Test func `handleEvents observes a cancellation and then the completion`() async throws {
        let events = Recorder<String>()
        let gate = Gate()
        let pipeline = Pipeline<Void, any Error> { try await gate.pass() }.handleEvents(
            receiveCompletion: { _ in events.record("completion") }, receiveCancel: { events.record("cancel") })
        let task = Task { try await pipeline.value }
        try await gate.waitForArrivals(1)
        task.cancel()
        _ = await task.result
        #expect(events.elements == ["cancel", "completion"])
    }
}
