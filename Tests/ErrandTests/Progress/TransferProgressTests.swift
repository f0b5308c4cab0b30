import TestSupport
import Testing

@testable import Errand

struct `Transfer progress` {
    typealias Snapshot = TransferProgress.Snapshot

    /// Runs on one actor: the loop that has opened the gate waits for progress before another task continues.
    @MainActor @Test func `progress is delivered to every loop, and the transfer's end ends them`() async throws {
        let progress = TransferProgress()
        let seen = Recorder<Snapshot>()
        let steps = (0..<3).map { _ in Gate() }
        let beginning = Gate()
        let loop = Task {
            beginning.open()
            for await snapshot in progress {
                steps[seen.elements.count].open()
                seen.record(snapshot)
            }
        }
        try await beginning.pass()
        progress.begin(total: nil)
        try await steps[0].pass()
        progress.update(Snapshot(completed: 5, total: 10))
        try await steps[1].pass()
        progress.update(Snapshot(completed: 10, total: 10))
        try await steps[2].pass()
        progress.end()
        await loop.value
        #expect(seen.elements.map(\.fractionCompleted) == [nil, 0.5, 1])
    }

    @Test func `a slow progress loop receives the latest count, and a late one the last`() async {
        let progress = TransferProgress()
        var slow = progress.makeAsyncIterator()
        progress.begin(total: 2)
        progress.update(Snapshot(completed: 1, total: 2))
        progress.update(Snapshot(completed: 2, total: 2))
        progress.end()
        #expect(await slow.next() == Snapshot(completed: 2, total: 2))
        #expect(await slow.next() == nil)
        var late = progress.makeAsyncIterator()
        #expect(await late.next() == Snapshot(completed: 2, total: 2))
        #expect(await late.next() == nil)
    }

    @Test func `progress continues with the next run`() async {
        let progress = TransferProgress()
        let first = progress.beginRun()
        first.begin(total: 1)
        first.end()
        let second = progress.beginRun()
        second.begin(total: 2)
        var iterator = progress.makeAsyncIterator()
        #expect(await iterator.next() == Snapshot(completed: 0, total: 2))
        second.update(Snapshot(completed: 1, total: 2))
        #expect(await iterator.next() == Snapshot(completed: 1, total: 2))
    }

    @Test func `an earlier run does not change or end the progress of a later one`() async {
        let progress = TransferProgress()
        let first = progress.beginRun()
        first.begin(total: 1)
        let second = progress.beginRun()
        second.begin(total: 2)
        first.begin(total: 1)
        first.update(Snapshot(completed: 1, total: 1))
        first.close()
        first.end(at: Snapshot(completed: 1, total: 1))
        #expect(progress.latest == Snapshot(completed: 0, total: 2))
        second.begin(total: 3)
        var iterator = progress.makeAsyncIterator()
        #expect(await iterator.next() == Snapshot(completed: 0, total: 3))
        second.update(Snapshot(completed: 3, total: 3))
        #expect(await iterator.next() == Snapshot(completed: 3, total: 3))
    }

    @Test func `a closed run counts its last attempt and begins no other`() {
        let run = TransferProgress().beginRun()
        run.begin(total: 2)
        run.close()
        run.update(Snapshot(completed: 1, total: 2))
        run.begin(total: 5)
        #expect(run.latest == Snapshot(completed: 1, total: 2))
        run.end()
        run.update(Snapshot(completed: 2, total: 2))
        #expect(run.latest == Snapshot(completed: 1, total: 2))
    }

    @Test func `progress stays ended if a cancelled transfer counts later`() async {
        let progress = TransferProgress()
        progress.begin(total: 2)
        progress.end()
        progress.update(Snapshot(completed: 1, total: 2))
        var late = progress.makeAsyncIterator()
        #expect(await late.next() == Snapshot(completed: 0, total: 2))
        #expect(await late.next() == nil)
    }

    @Test func `releasing the progress ends its loops`() async {
        var progress: TransferProgress? = TransferProgress()
        var iterator = progress?.makeAsyncIterator()
        progress = nil
        #expect(await iterator?.next() == nil)
    }

    @Test func `the progress of an empty body is complete`() {
        #expect(Snapshot(completed: 0, total: 0).fractionCompleted == 1)
    }
}
