/// Reads one segment after the other, and opens each stream when its turn comes.
///
/// An actor, since it remembers where it is; it is asked for one piece at a time.
actor SegmentReading {
    private var rest: ArraySlice<MultipartEncoding.Segment>
    private var reader: BodyStream.Reader?

    init(_ segments: [MultipartEncoding.Segment]) {
        rest = segments[...]
    }

    func next() async throws -> Data? {
        while true {
            if let piece = try await reader?() { return piece }
            reader = nil
            switch rest.popFirst() {
            case .data(let data): return data
            case .stream(let stream): reader = try stream.open()
            case nil: return nil
            }
        }
    }
}
