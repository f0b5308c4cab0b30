import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `The body of a request` {
    /// Returns the pieces that libcurl would read with buffers of this size, up to the end.
    private func read(_ upload: CurlUpload, room: Int = 4) -> [String] {
        var pieces: [String] = []
        while true {
            var bytes = [UInt8](repeating: 0, count: room)
            switch bytes.withUnsafeMutableBytes({ upload.read(into: $0) }) {
            case .bytes(0): return pieces + ["end"]
            case .bytes(let count): pieces.append(String(decoding: bytes[..<count], as: UTF8.self))
            case .nothingYet: return pieces + ["nothing yet"]
            case .failed: return pieces + ["failed"]
            }
        }
    }

    /// A body whose pieces the test sends, and that reports when it can continue.
    private struct Source {
        let upload: CurlUpload
        let writer: AsyncThrowingStream<Data?, any Error>.Continuation
        let resumed: AsyncStream<Void>

        init(count: Int? = nil, progress: TransferProgress? = nil) {
            let (pieces, writer) = AsyncThrowingStream.makeStream(of: Data?.self, throwing: (any Error).self)
            let (resumed, resume) = AsyncStream.makeStream(of: Void.self)
            self.writer = writer
            self.resumed = resumed
            let iterator = Iterator(pieces)
            upload = CurlUpload(
                { try await iterator.next() }, count: count, progress: progress, resume: { resume.yield() })
        }

        func waitForResumption() async {
            for await _ in resumed { return }
        }
    }

    private actor Iterator {
        private var iterator: AsyncThrowingStream<Data?, any Error>.AsyncIterator

        init(_ stream: AsyncThrowingStream<Data?, any Error>) {
            iterator = stream.makeAsyncIterator()
        }

        func next() async throws -> Data? {
            var current = iterator
            defer { iterator = current }
            return try await current.next(isolation: self) ?? nil
        }
    }

    @Test func `an upload of data is read in portions and then ends`() {
        let upload = CurlUpload(Data("0123456789".utf8), progress: nil)
        #expect(upload.count == 10)
        #expect(read(upload) == ["0123", "4567", "89", "end"])
        #expect(read(upload) == ["end"])
        #expect(read(CurlUpload(Data(), progress: nil)) == ["end"])
    }

    @Test func `an upload of data can seek to any position`() {
        let upload = CurlUpload(Data("0123456789".utf8), progress: nil)
        _ = read(upload)
        #expect(upload.seek(to: 0))
        #expect(read(upload) == ["0123", "4567", "89", "end"])
        #expect(upload.seek(to: 8))
        #expect(read(upload) == ["89", "end"])
        #expect(!upload.seek(to: 11))
    }

    @Test func `an upload of a stream is read as it arrives and resumes the paused transfer`() async {
        let source = Source()
        #expect(read(source.upload) == ["nothing yet"])
        source.writer.yield(Data("one".utf8))
        await source.waitForResumption()
        #expect(read(source.upload) == ["one", "nothing yet"])
        source.writer.yield(Data("two".utf8))
        await source.waitForResumption()
        #expect(read(source.upload) == ["two", "nothing yet"])
        source.writer.yield(nil)
        await source.waitForResumption()
        #expect(read(source.upload) == ["end"])
        #expect(source.upload.count == nil)
    }

    @Test func `an upload of a stream can only seek to its current position`() async {
        let source = Source()
        #expect(source.upload.seek(to: 0))
        #expect(read(source.upload) == ["nothing yet"])
        source.writer.yield(Data("one".utf8))
        await source.waitForResumption()
        #expect(source.upload.seek(to: 0))
        _ = read(source.upload)
        #expect(!source.upload.seek(to: 0))
        #expect(source.upload.seek(to: 3))
    }

    @Test func `an upload reads ahead up to its limit of bytes`() async throws {
        let reads = Gates(5)
        let half = CurlUpload.readAhead / 2
        let upload = CurlUpload(
            {
                try await reads.passNext()
                return Data(count: half)
            }, count: nil, progress: nil, resume: {})
        for gate in 0..<2 {
            try await reads.waitForArrival(at: gate)
            reads.open(gate)
        }
        for gate in 2..<5 {
            // The upload reads another piece only after space has become free.
            var bytes = [UInt8](repeating: 0, count: half)
            try await waitUntil {
                if case .bytes = bytes.withUnsafeMutableBytes({ upload.read(into: $0) }) { true } else { false }
            }
            try await reads.waitForArrival(at: gate)
            reads.open(gate)
        }
        upload.cancel()
    }

    @Test func `an upload of many small pieces fills the requested size`() async throws {
        let source = Source()
        for number in 0..<10 { source.writer.yield(Data("\(number)".utf8)) }
        source.writer.yield(Data())
        source.writer.yield(nil)
        var received = ""
        var readings = 0
        while true {
            let reading = read(source.upload, room: 100)
            readings += reading.count { $0 != "nothing yet" && $0 != "end" }
            received += reading.filter { $0 != "nothing yet" && $0 != "end" }.joined()
            if reading.last == "end" { break }
            await source.waitForResumption()
        }
        #expect(received == "0123456789")
        #expect(readings <= 10)
        #expect(source.upload.isGiven)
    }

    @Test func `an upload is complete when all of its bytes were read`() {
        let upload = CurlUpload(Data("0123".utf8), progress: nil)
        #expect(!upload.isGiven)
        _ = read(upload)
        #expect(upload.isGiven)
        #expect(upload.seek(to: 2))
        #expect(!upload.isGiven)
        #expect(CurlUpload(Data(), progress: nil).isGiven)
    }

    @Test func `a failing upload reports its error`() async {
        let source = Source()
        #expect(read(source.upload) == ["nothing yet"])
        source.writer.finish(throwing: Fault.first)
        await source.waitForResumption()
        #expect(read(source.upload) == ["failed"])
        #expect(source.upload.failure as? Fault == .first)
    }

    @Test func `upload progress counts the bytes read by libcurl`() {
        let progress = TransferProgress()
        _ = read(CurlUpload(Data("0123456789".utf8), progress: progress))
        #expect(progress.latest == .init(completed: 10, total: 10))
    }

    @Test func `cancelling an upload releases its stream`() async throws {
        let (left, gate) = (Gate(), Gate())
        let upload = CurlUpload(
            {
                do {
                    try await gate.pass()
                } catch {
                    left.open()
                    throw error
                }
                return nil
            }, count: nil, progress: nil, resume: {})
        try await gate.waitForArrivals(1)
        upload.cancel()
        try await left.pass()
        upload.cancel()
    }

    @Test func `stopping an upload resumes the paused transfer`() async {
        let source = Source()
        #expect(read(source.upload) == ["nothing yet"])
        source.upload.stop()
        await source.waitForResumption()
    }
}
