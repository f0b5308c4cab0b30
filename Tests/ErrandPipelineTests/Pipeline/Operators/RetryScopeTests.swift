import TestSupport
import Testing

@testable import Errand

struct `The scope of a retry` {
    private final class Owner: Sendable {}

    @Test func `the outermost retry that repeats a source defines the retry scope`() async {
        #expect(RetryScope.outermost(inside: nil) == nil)
        await RetryScope.run { outer in
            #expect(RetryScope.current === outer)
            #expect(RetryScope.outermost(inside: nil) === outer)
            #expect(RetryScope.outermost(inside: outer) == nil)
            let home = await RetryScope.run { _ in
                #expect(RetryScope.outermost(inside: nil) === outer)
                #expect(RetryScope.outermost(inside: outer) === RetryScope.current)
                return RetryScope.current
            }
            // A source made in an inner retry is also made again by each attempt of the outer retry.
            #expect(RetryScope.outermost(inside: home) == nil)
        }
    }

    @Test func `a retry scope that has ended is not used`() async throws {
        let gate = Gate()
        let leftBehind = await RetryScope.run { _ in
            Task {
                try await gate.pass()
                #expect(RetryScope.current == nil)
                return await RetryScope.run { _ in RetryScope.outermost(inside: nil) === RetryScope.current }
            }
        }
        gate.open()
        #expect(try await leftBehind.value)
    }

    @Test func `the last registered action runs when a retry scope ends, and later ones at once`() async {
        let (owner, done) = (Owner(), Recorder<Int>())
        let scope = await RetryScope.run { scope in
            scope.whenOver(owner) { done.record(1) }
            scope.whenOver(owner) { done.record(2) }
            #expect(done.elements.isEmpty)
            return scope
        }
        #expect(done.elements == [2])
        scope.whenOver(owner) { done.record(3) }
        #expect(done.elements == [2, 3])
    }
}
