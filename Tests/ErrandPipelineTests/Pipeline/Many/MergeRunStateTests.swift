import TestSupport
import Testing

@testable import Errand

struct `The state of merged runs` {
    typealias Machine = MergeRunState<Int, Fault>

    private let received = Recorder<Int?>()

    private var receiver: Machine.Receiver {
        { [received] outcome in received.record(outcome?.offset) }
    }

    private func deliver(_ actions: Machine.Actions) {
        if let (receiver, outcome) = actions.delivery { receiver(outcome) }
    }

    @Test func `runs start up to the limit, and the next when an outcome is received`() {
        var state = Machine(count: 4, limit: 2)
        #expect(state.receive(receiver).starts == 0..<2)
        let first = state.finish(1, .success(1))
        deliver(first)
        #expect(first.starts == 2..<3)
        #expect(state.finish(0, .success(0)).starts.isEmpty)
        #expect(state.finish(2, .success(2)).starts.isEmpty)
        let second = state.receive(receiver)
        deliver(second)
        #expect(second.starts == 3..<4)
        deliver(state.receive(receiver))
        #expect(received.elements == [1, 0, 2])
        _ = state.finish(3, .failure(.first))
        deliver(state.receive(receiver))
        deliver(state.receive(receiver))
        #expect(received.elements == [1, 0, 2, 3, nil])
        #expect(state.runningCount == 0)
    }

    @Test func `stopped runs deliver and start nothing`() {
        var state = Machine(count: 4, limit: 2)
        _ = state.receive(receiver)
        _ = state.started(0, Task {})
        let stop = state.cancel(stopping: true)
        #expect(stop.cancels.count == 1)
        deliver(stop)
        #expect(received.elements == [nil])
        #expect(state.started(1, Task {}).cancels.count == 1)
        #expect(state.finish(0, .success(0)).delivery == nil)
        #expect(state.receive(receiver).starts.isEmpty)
    }

    @Test func `remaining runs start cancelled if their outcomes are still wanted`() {
        var state = Machine(count: 3, limit: 1)
        _ = state.receive(receiver)
        _ = state.cancel(stopping: false)
        let end = state.finish(0, .failure(.first))
        deliver(end)
        #expect(end.starts.isEmpty)
        let next = state.receive(receiver)
        #expect(next.starts == 1..<2)
        #expect(next.startsCancelled)
        #expect(received.elements == [0])
    }
}
