import Foundation
import Testing

@testable import ErrandJSON

/// Nesting has the same limit in all operations, also on a thread with 512 KB of stack, the size on worker threads of
/// Apple platforms.
struct `Deeply nested JSON` {
    private struct Chain: Codable {
        var next: [Chain] = []
        /// A member that makes each level use more of the stack.
        var name = "a"

        static func ofDepth(_ depth: Int) -> Chain { (0..<depth).reduce(Chain()) { chain, _ in Chain(next: [chain]) } }
    }

    /// Runs a function on a thread with 512 KB of stack.
    private func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result
    {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Swift.Result(catching: body)) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }

    private func nested(_ depth: Int) -> JSONValue { (1..<depth).reduce([] as JSONValue) { value, _ in [value] } }

    @Test func `a nested value is encoded and described up to the decoder's depth limit`() async throws {
        let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        try await onSmallStack {
            let value = try FastJSONDecoder().decode(JSONValue.self, from: text)
            #expect(String(decoding: try FastJSONEncoder().encode(value), as: UTF8.self) == text)
            #expect(value.description == text)
            #expect(value.prettyPrinted.count > text.count)
            #expect(value == value)
        }
        #expect(throws: DecodingError.self) { try FastJSONDecoder().decode(JSONValue.self, from: "[\(text)]") }
    }

    @Test(arguments: [513, 20_000])
    func `the encoder rejects values nested deeper than its limit`(_ depth: Int) throws {
        let value = nested(depth)
        #expect(throws: EncodingError.self) { try FastJSONEncoder().encode(value) }
        #expect(throws: EncodingError.self) { try FastJSONEncoder().encode(["a": value]) }
        #expect(value.description == "a value that is nested too deeply")
        var deeper = FastJSONEncoder()
        deeper.maximumDepth = depth
        #expect(try deeper.encode(value).count == 2 * depth)
        // At this depth, releasing the value would overflow the stack, so the test leaks it.
        _ = Unmanaged.passRetained(Box(value))
    }

    /// Alternating arrays and objects around a value.
    private static func text(_ depth: Int, around value: String) -> String {
        var (start, end) = ("", "")
        for level in 0..<depth {
            start += level % 2 == 0 ? "[" : "{\"a\":"
            end = (level % 2 == 0 ? "]" : "}") + end
        }
        return start + value + end
    }

    @Test func `a nested value is compared, hashed, changed and released up to the depth limit`() async throws {
        try await onSmallStack {
            for depth in [511, 512] {
                let decoder = FastJSONDecoder()
                let value = try decoder.decode(JSONValue.self, from: Self.text(depth, around: "1"))
                let other = try decoder.decode(JSONValue.self, from: Self.text(depth, around: "2"))
                #expect(value != other)
                #expect(try decoder.decode(JSONValue.self, from: Self.text(depth, around: "1.0")) == value)
                #expect(Set([value, other, value]).count == 2)
                let patch = JSONPatch(from: value, to: other)
                #expect(patch.operations.count == 1)
                #expect(try patch.applied(to: value) == other)
                #expect(JSONMergePatch(from: value, to: other).applied(to: value) == other)
                let object: JSONValue = ["b": value["a"] ?? value]
                #expect(JSONMergePatch(from: [:], to: object).applied(to: [:]) == object)
            }
        }
    }

    /// The documents have only objects, because a merge patch replaces arrays.
    @Test func `a merge patch is made and applied up to the depth limit`() async throws {
        try await onSmallStack {
            let objects = { (value: Int) in
                (0..<512).reduce(JSONValue(integerLiteral: value)) { inner, _ in ["a": inner] }
            }
            let (value, other) = (objects(1), objects(2))
            let patch = JSONMergePatch(from: value, to: other)
            #expect(patch.document == other)
            #expect(patch.applied(to: value) == other)
            #expect(JSONMergePatch(from: value, to: value).document == [:])
        }
    }

    @Test func `comparing, hashing and changing a deep value use no extra stack`() async throws {
        let (value, other) = (nested(20_000), nested(20_001))
        try await onSmallStack {
            #expect(value != other && value == value)
            #expect(Set([value, other]).count == 2)
            #expect(JSONPatch(from: value, to: other).operations.count == 1)
        }
        for value in [value, other] { _ = Unmanaged.passRetained(Box(value)) }
    }

    @Test func `the decoder limits the depth of untyped values whatever its maximum depth is`() throws {
        var decoder = FastJSONDecoder()
        decoder.maximumDepth = 100_000
        _ = try decoder.decode(JSONValue.self, from: Self.text(512, around: "1"))
        _ = try decoder.decode([[JSONValue]].self, from: "[[\(Self.text(512, around: "1"))]]")
        for depth in [513, 100_000] {
            let error = #expect(throws: DecodingError.self) {
                try decoder.decode(JSONValue.self, from: Self.text(depth, around: "1"))
            }
            #expect(error?.text.contains("nested deeper than 512") == true)
        }
    }

    @Test func `arrays and objects that have ended do not count for the depth`() throws {
        var decoder = FastJSONDecoder()
        decoder.maximumDepth = 3
        _ = try decoder.decode(JSONValue.self, from: #"[[[], {}], {"a": [1]}, [[], []]]"#)
        #expect(throws: DecodingError.self) { try decoder.decode(JSONValue.self, from: "[[[], {}], [[[]]]]") }
    }

    @Test func `the error for a value nested too deeply has its path`() throws {
        var encoder = FastJSONEncoder()
        encoder.maximumDepth = 3
        let value: JSONValue = [1, ["a": [2, 3, [[]]]]]
        let error = #expect(throws: EncodingError.self) { try encoder.encode(value) }
        guard case .invalidValue(_, let context) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["Index 1", "a", "Index 2"])
    }

    @Test func `converting a value nested too deeply to and from types throws an error`() {
        let value = nested(513)
        #expect(throws: EncodingError.self) { try JSONValue(encoding: value) }
        #expect(throws: (any Error).self) { try value.decoded(as: JSONValue.self) }
    }

    private final class Box {
        let value: JSONValue
        init(_ value: JSONValue) { self.value = value }
    }

    @Test func `untyped nested containers are limited in depth`() throws {
        struct Nesting: Encodable {
            let depth: Int
            func encode(to encoder: any Encoder) throws {
                var containers = [encoder.unkeyedContainer()]
                for number in 1..<depth { containers.append(containers[number - 1].nestedUnkeyedContainer()) }
            }
        }
        #expect(try FastJSONEncoder().encode(Nesting(depth: 512)).count == 1_024)
        #expect(throws: EncodingError.self) { try FastJSONEncoder().encode(Nesting(depth: 513)) }
    }

    /// Decoding returns the value or throws an error about the stack. A crash would end the tests.
    @Test func `decoding a deep type does not overflow a small stack`() async throws {
        let text = String(repeating: #"{"name":"a","next":["#, count: 255) + String(repeating: "]}", count: 255)
        let depth = try await onSmallStack {
            var depth = 0
            do {
                var chain = try FastJSONDecoder().decode(Chain.self, from: text)
                while let next = chain.next.first { (chain, depth) = (next, depth + 1) }
            } catch let DecodingError.dataCorrupted(context) {
                #expect(context.debugDescription.contains("stack"))
                depth = -1
            }
            do {
                _ = try FastJSONEncoder().encode(Chain.ofDepth(254))
            } catch let EncodingError.invalidValue(_, context) {
                #expect(context.debugDescription.contains("stack"))
            }
            return depth
        }
        #expect(depth == 254 || depth == -1)
    }

    @Test func `the stack limit leaves room to throw an error`() async throws {
        try await onSmallStack {
            let use = StackUse()
            func descend(_ depth: Int) -> Int {
                guard use.isLittleUsed || StackLimit.hasRoom, depth < 100_000 else { return depth }
                return withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 8) { _ in descend(depth + 1) }
            }
            #expect((100..<100_000).contains(descend(0)))
        }
    }
}
