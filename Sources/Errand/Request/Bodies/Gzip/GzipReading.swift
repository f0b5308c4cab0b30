#if canImport(CCompression)
/// Compresses a stream while it is read.
///
/// An actor, since it holds what is half encoded; it is asked for one piece at a time.
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
#endif
