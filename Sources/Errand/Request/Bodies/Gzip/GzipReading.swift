/// A reader that compresses a stream while it is read.
///
/// It is an actor because it holds partly encoded data. It reads one piece at a time.
actor GzipReading {
    private let read: BodyStream.Reader
    private var encoding: StreamEncoding

    init(_ stream: BodyStream) throws {
        encoding = try StreamEncoding()
        read = try stream.open()
    }

    func next() async throws -> Data? {
        while !encoding.isWhole {
            if encoding.wantsMore { encoding.add(try await read()) }
            let piece = try encoding.next()
            if !piece.isEmpty { return piece }
        }
        return nil
    }
}
