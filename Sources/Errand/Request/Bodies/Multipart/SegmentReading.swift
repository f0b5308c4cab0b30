/// A reader that returns the segments in order, and opens each stream when it reaches it.
///
/// It is an actor because it stores its position. It reads one piece at a time.
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
