import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `Transport: body buffer` {
    let buffer = BodyBuffer(capacity: 4)

    private func next() async -> BodyBuffer.Next {
        await buffer.next { self.buffer.end(.failure(URLError(.cancelled))) }
    }

    private func piece() async throws -> (data: Data, hasRoomAgain: Bool) {
        guard case .piece(let data, let hasRoomAgain) = await next() else { throw URLError(.badServerResponse) }
        return (data, hasRoomAgain)
    }

    @Test func `a body buffer returns its pieces in order and then the end repeatedly`() async throws {
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

    @Test func `a body buffer returns many small pieces in order`() async throws {
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

    @Test func `a body buffer is full at the maximum number of pieces, however small`() async throws {
        let buffer = BodyBuffer(capacity: 1 << 20)
        for _ in 1..<BodyBuffer.maximumPieces { buffer.add(Data("a".utf8)) }
        #expect(buffer.checkRoom())
        buffer.add(Data("a".utf8))
        #expect(!buffer.checkRoom())
        var rooms: [Int] = []
        for read in 1...BodyBuffer.maximumPieces {
            guard case .piece(_, true) = await buffer.next(orAbandon: {}) else { continue }
            rooms.append(read)
        }
        #expect(rooms == [BodyBuffer.maximumPieces / 2])
    }

    @Test func `a body buffer is full at its capacity and reports once that it has room again`() async throws {
        buffer.add(Data("abc".utf8))
        #expect(buffer.checkRoom())
        buffer.add(Data("d".utf8))
        #expect(!buffer.isFull)
        #expect(!buffer.checkRoom())
        #expect(buffer.isFull)
        buffer.add(Data("e".utf8))
        #expect(try await piece() == (Data("abc".utf8), true))
        #expect(!buffer.isFull)
        #expect(try await piece().hasRoomAgain == false)
        #expect(try await piece().hasRoomAgain == false)
    }

    @Test func `a body buffer does not report room if none was refused`() async throws {
        buffer.add(Data("abcdef".utf8))
        #expect(try await piece().hasRoomAgain == false)
    }

    @Test func `a full body buffer stays full until enough was read`() async throws {
        for text in ["ab", "cd", "ef"] { buffer.add(Data(text.utf8)) }
        #expect(!buffer.checkRoom())
        #expect(try await piece().hasRoomAgain == false)
        buffer.add(Data("g".utf8))
        #expect(!buffer.checkRoom())
        #expect(try await piece().hasRoomAgain == false)
        #expect(try await piece() == (Data("ef".utf8), true))
        #expect(buffer.checkRoom())
    }

    @Test func `an abandoned body buffer is no longer full`() {
        buffer.add(Data("abcd".utf8))
        #expect(!buffer.checkRoom())
        buffer.abandon()
        #expect(!buffer.isFull)
        #expect(buffer.checkRoom())
    }

    @Test func `a cancelled reader receives no more data from a body buffer`() async throws {
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

    @Test func `an abandoned body buffer keeps no data and ends with a failure`() async throws {
        buffer.add(Data("abc".utf8))
        buffer.abandon()
        buffer.add(Data("def".utf8))
        buffer.end(.success(()))
        guard case .end(.failure) = await next() else { throw URLError(.badServerResponse) }
    }

    @Test func `a new piece wakes the reader of a body buffer`() async throws {
        let reading = Task { try await piece().data }
        buffer.add(Data("a".utf8))
        #expect(try await reading.value == Data("a".utf8))
    }

    @Test func `cancelling the reader of a body buffer ends its wait`() async throws {
        let reading = Task { await next() }
        reading.cancel()
        guard case .end(.failure(let error)) = await reading.value else { throw URLError(.badServerResponse) }
        #expect((error as? URLError)?.code == .cancelled)
    }
}
