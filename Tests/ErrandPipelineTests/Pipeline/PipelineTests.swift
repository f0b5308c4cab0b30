import Errand
import TestSupport
import Testing

struct `A pipeline` {
    @Test func `a pipeline does nothing until it runs, and runs again for each reader`() async throws {
        let runs = Recorder<Int>()
        let pipeline = Pipeline<Int, any Error> {
            runs.record(1)
            return runs.elements.count
        }
        .map { $0 * 10 }
        #expect(runs.elements.isEmpty)
        #expect(try await pipeline.value == 10)
        #expect(try await pipeline.value == 20)
    }

    @Test func `a pipeline throws its typed failure`() async {
        let pipeline = Pipeline<Int, Fault> { () async throws(Fault) in throw .first }
        do throws(Fault) {
            _ = try await pipeline.value
            Issue.record("the pipeline did not fail")
        } catch {
            #expect(error == .first)
        }
        #expect(await pipeline.result == .failure(.first))
    }

    @MainActor @Test func `a pipeline runs on the actor that awaits it`() async throws {
        let pipeline = Pipeline<Int, any Error> {
            MainActor.assertIsolated()
            return 1
        }
        .map { number in
            MainActor.assertIsolated()
            return number + 1
        }
        #expect(try await pipeline.value == 2)
    }

    @MainActor @Test func `a pipeline with a cancellation handler runs on the actor that awaits it`() async throws {
        #expect(try await whetherOnMainActor().handleEvents(receiveCancel: {}).value)
    }

    private nonisolated func whetherOnMainActor() -> Pipeline<Bool, any Error> {
        Pipeline { () async throws in #isolation === MainActor.shared }
    }

    @Test func `a pipeline can carry values that are not sendable`() async throws {
        final class Box { var content = 1 }
        let pipeline = Pipeline<Box, any Error> { Box() }.map { box in
            box.content += 1
            return box
        }
        #expect(try await pipeline.value.content == 2)
    }

    @Test func `cancelling the task that awaits a pipeline cancels it`() async throws {
        let gate = Gate()
        let task = Task { try await Pipeline<Void, any Error> { try await gate.pass() }.value }
        try await gate.waitForArrivals(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
