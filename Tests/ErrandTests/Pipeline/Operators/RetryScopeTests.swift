import TestSupport
import Testing

@testable import Errand

struct `The scope of a retry` {
    private final class Owner: Sendable {}

    @Test func `is that of the outermost retry that repeats a source`() async {
        #expect(RetryScope.outermost(inside: nil) == nil)
        await RetryScope.run {
            let outer = RetryScope.current
            #expect(RetryScope.outermost(inside: nil) === outer)
            #expect(RetryScope.outermost(inside: outer) == nil)
            let home = await RetryScope.run {
                #expect(RetryScope.outermost(inside: nil) === outer)
                #expect(RetryScope.outermost(inside: outer) === RetryScope.current)
                return RetryScope.current
            }
            // Made in a retry inside this one, the source is made again for each try of this one too.
            #expect(RetryScope.outermost(inside: home) == nil)
        }
    }

    @Test func `is not one that is over`() async throws {
        let gate = Gate()
        let leftBehind = await RetryScope.run {
            Task {
                try await gate.pass()
                #expect(RetryScope.current == nil)
                return await RetryScope.run { RetryScope.outermost(inside: nil) === RetryScope.current }
            }
        }
        gate.open()
        #expect(try await leftBehind.value)
    }

    @Test func `does at its end what the latest run of an object has asked for`() async throws {
        let (owner, done) = (Owner(), Recorder<Int>())
        let scope = try await RetryScope.run {
            let scope = try #require(RetryScope.current)
            let (first, second) = (scope.beginRun(of: owner), scope.beginRun(of: owner))
            scope.whenOver(owner, run: second) { done.record(2) }
            scope.whenOver(owner, run: first) { done.record(1) }
            #expect(done.elements.isEmpty)
            return scope
        }
        #expect(done.elements == [2])
        scope.whenOver(owner, run: 1) { done.record(1) }
        #expect(done.elements == [2])
        scope.whenOver(owner, run: 2) { done.record(3) }
        #expect(done.elements == [2, 3])
    }
}
