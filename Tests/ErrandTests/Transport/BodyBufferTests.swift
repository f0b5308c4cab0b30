import TestSupport
import Testing

@testable import Errand

@Suite("A body's buffer", .hangGuard) struct BodyBufferTests {
    let buffer = BodyBuffer(capacity: 4)

    private func next() async -> BodyBuffer.Next {
        await buffer.next { self.buffer.end(.failure(URLError(.cancelled))) }
    }

    private func piece() async throws -> (data: Data, hasRoomAgain: Bool) {
        guard case .piece(let data, let hasRoomAgain) = await next() else { throw URLError(.badServerResponse) }
        return (data, hasRoomAgain)
    }

    @Test func `gives the pieces in order, and then the end, again and again`() async throws {
        buffer.add(Data("a".utf8))
        buffer.add(Data("b".utf8))
        buffer.end(.success(()))
        buffer.end(.failure(URLError(.cancelled)))
        #expect(try await piece().data == Data("a".utf8))
        #expect(try await piece().data == Data("b".utf8))
        for _ in 0..<2 {
            guard case .end(.success) = await next() else { throw URLError(.badServerResponse) }
        }
    }

    @Test func `gives many small pieces in order, however they come and go`() async throws {
        var (added, read) = (0, 0)
        for round in 1...60 {
            for _ in 0..<round {
                buffer.add(Data("\(added) ".utf8))
                added += 1
            }
            for _ in 0..<round where read < added - 40 {
                #expect(try await piece().data == Data("\(read) ".utf8))
                read += 1
            }
        }
        buffer.end(.success(()))
        while read < added {
            #expect(try await piece().data == Data("\(read) ".utf8))
            read += 1
        }
        guard case .end(.success) = await next() else { throw URLError(.badServerResponse) }
    }

    @Test func `has no room for more than so many pieces either, however small they are`() async throws {
        let buffer = BodyBuffer(capacity: 1 << 20)
        for _ in 1..<BodyBuffer.maximumPieces { buffer.add(Data("a".utf8)) }
        #expect(buffer.hasRoom())
        buffer.add(Data("a".utf8))
        #expect(!buffer.hasRoom())
        var rooms: [Int] = []
        for read in 1...BodyBuffer.maximumPieces {
            guard case .piece(_, true) = await buffer.next(orAbandon: {}) else { continue }
            rooms.append(read)
        }
        #expect(rooms == [BodyBuffer.maximumPieces / 2])
    }

    @Test func `has no room from its capacity on, and says once that it has some again`() async throws {
        buffer.add(Data("abc".utf8))
        #expect(buffer.hasRoom())
        buffer.add(Data("d".utf8))
        #expect(!buffer.isFull)
        #expect(!buffer.hasRoom())
        #expect(buffer.isFull)
        buffer.add(Data("e".utf8))
        #expect(try await piece() == (Data("abc".utf8), true))
        #expect(!buffer.isFull)
        #expect(try await piece().hasRoomAgain == false)
        #expect(try await piece().hasRoomAgain == false)
    }

    @Test func `says nothing of room that nobody was refused`() async throws {
        buffer.add(Data("abcdef".utf8))
        #expect(try await piece().hasRoomAgain == false)
    }

    @Test func `stays full until there is room again, whatever comes meanwhile`() async throws {
        for text in ["ab", "cd", "ef"] { buffer.add(Data(text.utf8)) }
        #expect(!buffer.hasRoom())
        #expect(try await piece().hasRoomAgain == false)
        buffer.add(Data("g".utf8))
        #expect(!buffer.hasRoom())
        #expect(try await piece().hasRoomAgain == false)
        #expect(try await piece() == (Data("ef".utf8), true))
        #expect(buffer.hasRoom())
    }

    @Test func `is full no more once it is abandoned`() {
        buffer.add(Data("abcd".utf8))
        #expect(!buffer.hasRoom())
        buffer.abandon()
        #expect(!buffer.isFull)
        #expect(buffer.hasRoom())
    }

    @Test func `gives a cancelled reader no more, however much has come`() async throws {
        for _ in 0..<3 { buffer.add(Data("abc".utf8)) }
        let started = Gate()
        let reading = Task {
            _ = await next()
            started.open()
            while !Task.isCancelled { await Task.yield() }
            return await next()
        }
        defer { reading.cancel() }
        try await started.pass()
        reading.cancel()
        guard case .end(.failure(let error)) = await reading.value else { throw URLError(.badServerResponse) }
        #expect((error as? URLError)?.code == .cancelled)
    }

    @Test func `that nobody reads any more keeps nothing, and is not whole`() async throws {
        buffer.add(Data("abc".utf8))
        buffer.abandon()
        buffer.add(Data("def".utf8))
        buffer.end(.success(()))
        guard case .end(.failure) = await next() else { throw URLError(.badServerResponse) }
    }

    @Test func `wakes a reader with a piece`() async throws {
        let reading = Task { try await piece().data }
        buffer.add(Data("a".utf8))
        #expect(try await reading.value == Data("a".utf8))
    }

    @Test func `ends when its reader is cancelled`() async throws {
        let reading = Task { await next() }
        reading.cancel()
        guard case .end(.failure(let error)) = await reading.value else { throw URLError(.badServerResponse) }
        #expect((error as? URLError)?.code == .cancelled)
    }
}
