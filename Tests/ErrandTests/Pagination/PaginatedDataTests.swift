import Errand
import Testing

struct `Paginated data` {
    struct Chunk: PaginatedData {
        var page: Int
        var pageSize: Int
        var total: Int
        var firstPage = 1
        var pageItems: [Int] = []
    }

    @Test(arguments: [
        (Chunk(page: 1, pageSize: 10, total: 25), 3, true, false, 0..<10),
        (Chunk(page: 2, pageSize: 10, total: 25), 3, false, false, 10..<20),
        (Chunk(page: 3, pageSize: 10, total: 25), 3, false, true, 20..<25),
        (Chunk(page: 3, pageSize: 10, total: 30), 3, false, true, 20..<30),
        (Chunk(page: 0, pageSize: 10, total: 20, firstPage: 0), 2, true, false, 0..<10),
        (Chunk(page: 1, pageSize: 10, total: 20, firstPage: 0), 2, false, true, 10..<20),
        (Chunk(page: 1, pageSize: 10, total: 0), 0, true, true, 0..<0),
        (Chunk(page: 1, pageSize: .max, total: .max), 1, true, true, 0..<Int.max),
        (Chunk(page: .max, pageSize: 1, total: .max), .max, false, true, (Int.max - 1)..<Int.max),
    ])
    func `paginated data computes its page count and item range`(
        _ chunk: Chunk, _ pageCount: Int, _ isFirst: Bool, _ isLast: Bool, _ range: Range<Int>
    ) throws {
        #expect(try chunk.pageCount == pageCount)
        #expect(try chunk.isFirst == isFirst)
        #expect(try chunk.isLast == isLast)
        #expect(try chunk.itemRange == range)
    }

    @Test func `paginated data counts its own items`() {
        #expect(Chunk(page: 1, pageSize: 10, total: 25, pageItems: [1, 2, 3]).count == 3)
    }

    @Test(arguments: [
        Chunk(page: 1, pageSize: 0, total: 1), Chunk(page: 1, pageSize: -1, total: 1),
        Chunk(page: 1, pageSize: 10, total: -1), Chunk(page: 0, pageSize: 10, total: 25),
        Chunk(page: 4, pageSize: 10, total: 25), Chunk(page: 2, pageSize: 10, total: 0),
        Chunk(page: .min, pageSize: 10, total: 25), Chunk(page: .max, pageSize: 10, total: 25, firstPage: -1),
        Chunk(page: 3, pageSize: 10, total: 25, firstPage: 0),
    ])
    func `invalid paginated data throws errors`(_ chunk: Chunk) {
        #expect(throws: ErrandError.self) { try chunk.pageCount }
        #expect(throws: ErrandError.self) { try chunk.isFirst }
        #expect(throws: ErrandError.self) { try chunk.itemRange }
        do {
            _ = try chunk.isLast
            Issue.record("no error was thrown")
        } catch {
            #expect(error.code == .invalidPagination)
        }
    }
}
