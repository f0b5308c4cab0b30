import Errand
import Foundation
import Testing

/// An element must not cost two thread switches: a loop on an actor reads all its elements on that actor.
@Suite struct ElementIsolationTests {
    enum Kind: CaseIterable { case bytes, lines, values, results, events, eventValues, parts }

    @Test(arguments: Kind.allCases)
    @MainActor
    func `a loop on the main actor reads the pieces of a body there`(_ kind: Kind) async throws {
        let pieces = WatchedPieces(text: kind.text)
        #expect(try await kind.count(pieces) == 2)
        let isolations = pieces.isolations.withLock { $0 }
        #expect(!isolations.isEmpty && isolations.allSatisfy { $0 })
    }
}

extension ElementIsolationTests.Kind {
    fileprivate var text: String {
        switch self {
        case .bytes: "ab"
        case .lines: "a\nb\n"
        case .values, .results: "1\n2\n"
        case .events, .eventValues: "data: 1\n\ndata: 2\n\n"
        case .parts: "--b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--\r\n"
        }
    }

    @MainActor
    fileprivate func count(_ pieces: WatchedPieces) async throws -> Int {
        var count = 0
        switch self {
        case .bytes: for try await _ in pieces.bytes { count += 1 }
        case .lines: for try await _ in pieces.lines() { count += 1 }
        case .values: for try await _ in pieces.values(of: Int.self) { count += 1 }
        case .results: for try await _ in pieces.results(of: Int.self) { count += 1 }
        case .events: for try await _ in pieces.events() { count += 1 }
        case .eventValues: for try await _ in pieces.events().values(of: Int.self) { count += 1 }
        case .parts: for try await _ in pieces.parts(boundary: "b") { count += 1 }
        }
        return count
    }
}

/// A body in one piece, which records for each read whether the reader is on the main actor.
private struct WatchedPieces: AsyncSequence, Sendable {
    let text: String
    let isolations = Locked<[Bool]>([])

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: self) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let pieces: WatchedPieces
        var isRead = false

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            pieces.isolations.withLock { $0.append(actor === MainActor.shared) }
            defer { isRead = true }
            return isRead ? nil : Data(pieces.text.utf8)
        }

        mutating func next() async throws -> Data? {
            try await next(isolation: #isolation)
        }
    }
}
