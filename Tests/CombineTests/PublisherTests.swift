import Combine
import TestSupport
import Testing

@testable import Errand

/// Not part of the package: a script compiles this file if Combine, or a stand-in for it, exists.
@Suite(.hangGuard) struct `A publisher` {
    /// `@unchecked Sendable` holds because a subscription may be called from any thread.
    private struct Handle: @unchecked Sendable {
        let subscription: any Subscription
    }

    /// Requests values as the test says, and records what it receives.
    private final class Probe<Input: Sendable, Failure: Error>: Subscriber, Sendable {
        let values = Recorder<Input>()
        let failures = Recorder<Failure?>()
        let end = Gate()
        private let handle = Locked<Handle?>(nil)

        func receive(subscription: any Subscription) {
            let received = Handle(subscription: subscription)
            handle.withLock { $0 = received }
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            values.record(input)
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            if case .failure(let failure) = completion { failures.record(failure) } else { failures.record(nil) }
            end.open()
        }

        func request(_ demand: Subscribers.Demand) {
            handle.withLock { $0 }?.subscription.request(demand)
        }

        func cancel() {
            handle.withLock { $0 }?.subscription.cancel()
        }
    }

    /// The numbers from 1, with a record of the requested ones.
    private struct Numbers: AsyncSequence, Sendable {
        struct Broken: Error {}

        let last: Int
        var fails = false
        let requested = Recorder<Int>()

        struct AsyncIterator: AsyncIteratorProtocol {
            let numbers: Numbers
            var next = 1

            mutating func next(isolation actor: isolated (any Actor)?) async throws -> Int? {
                numbers.requested.record(next)
                guard next <= numbers.last else {
                    if numbers.fails { throw Broken() }
                    return nil
                }
                defer { next += 1 }
                return next
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(numbers: self) }
    }

    @Test func `the publisher of a pipeline delivers the value and finishes`() async throws {
        let probe = Probe<Int, Never>()
        Pipeline<Int, Never>.just(7).publisher.subscribe(probe)
        probe.request(.max(1))
        try await probe.end.pass()
        #expect(probe.values.elements == [7])
        #expect(probe.failures.elements.count == 1)
        #expect(probe.failures.elements.compactMap(\.self).isEmpty)
    }

    @Test func `the publisher of a pipeline delivers the typed failure`() async throws {
        let probe = Probe<Int, Fault>()
        Pipeline<Int, Fault>.fail(.first).publisher.subscribe(probe)
        probe.request(.unlimited)
        try await probe.end.pass()
        #expect(probe.values.elements.isEmpty)
        #expect(probe.failures.elements == [.first])
    }

    @Test func `a pipeline publisher runs once per subscription, after the first demand`() async throws {
        let runs = Recorder<Int>()
        let publisher = Pipeline<Int, Never> {
            runs.record(1)
            return runs.elements.count
        }.publisher
        let (first, second) = (Probe<Int, Never>(), Probe<Int, Never>())
        publisher.subscribe(first)
        for _ in 0..<100 { await Task.yield() }
        #expect(runs.elements.isEmpty)
        first.request(.max(1))
        try await first.end.pass()
        publisher.subscribe(second)
        second.request(.max(1))
        try await second.end.pass()
        #expect(first.values.elements + second.values.elements == [1, 2])
    }

    @Test func `cancelling the subscription cancels the pipeline and delivers nothing more`() async throws {
        let (gate, cancelled) = (Gate(), Gate())
        let publisher = Pipeline<Int, any Error> { () async throws(any Error) in
            do { try await gate.pass() } catch {
                cancelled.open()
                throw error
            }
            return 1
        }.publisher
        let probe = Probe<Int, any Error>()
        publisher.subscribe(probe)
        probe.request(.unlimited)
        try await gate.waitForArrivals(1)
        probe.cancel()
        try await cancelled.pass()
        for _ in 0..<100 { await Task.yield() }
        #expect(probe.values.elements.isEmpty)
        #expect(probe.failures.elements.isEmpty)
    }

    @Test func `the publisher of a sequence requests no more elements than the demand`() async throws {
        let numbers = Numbers(last: 5)
        let probe = Probe<Int, any Error>()
        numbers.elementPublisher.subscribe(probe)
        for _ in 0..<100 { await Task.yield() }
        #expect(numbers.requested.elements.isEmpty)
        probe.request(.max(2))
        try await waitUntil { probe.values.elements == [1, 2] }
        for _ in 0..<100 { await Task.yield() }
        #expect(numbers.requested.elements == [1, 2])
        probe.request(.unlimited)
        try await probe.end.pass()
        #expect(probe.values.elements == [1, 2, 3, 4, 5])
    }

    @Test func `the publisher of a sequence ends with the failure of the sequence`() async throws {
        let probe = Probe<Int, any Error>()
        Numbers(last: 1, fails: true).elementPublisher.subscribe(probe)
        probe.request(.unlimited)
        try await probe.end.pass()
        #expect(probe.values.elements == [1])
        #expect(probe.failures.elements.first.flatMap(\.self) is Numbers.Broken)
    }

    @Test func `cancelling the subscription stops the iteration of the sequence`() async throws {
        let numbers = Numbers(last: .max)
        let probe = Probe<Int, any Error>()
        numbers.elementPublisher.subscribe(probe)
        probe.request(.max(3))
        try await waitUntil { probe.values.elements.count == 3 }
        probe.cancel()
        probe.request(.unlimited)
        for _ in 0..<100 { await Task.yield() }
        #expect(numbers.requested.elements == [1, 2, 3])
        #expect(probe.failures.elements.isEmpty)
    }

    @Test func `the progress of a transfer is published to Combine operators`() async throws {
        let progress = TransferProgress()
        let totals = Recorder<Int64>()
        let end = Gate()
        let token = progress.publisher.map(\.completed)
            .sink(receiveCompletion: { _ in end.open() }, receiveValue: { totals.record($0) })
        progress.begin(total: 10)
        progress.update(TransferProgress.Snapshot(completed: 10, total: 10))
        progress.end(at: TransferProgress.Snapshot(completed: 10, total: 10))
        try await end.pass()
        #expect(totals.elements.last == 10)
        token.cancel()
    }
}
