import ErrandTesting

extension MockFault {
    /// Returns the same fault, with a chunk number beyond the last chunk replaced by the last one's.
    func ofLastChunk(_ last: Int) -> MockFault {
        switch self {
        case .malformedChunkSize(let chunk): .malformedChunkSize(chunk: chunk > last ? last : chunk)
        case .wrongChunkSize(let chunk, let error): .wrongChunkSize(chunk: chunk > last ? last : chunk, by: error)
        default: self
        }
    }

    /// Returns the size that is sent for a chunk.
    func sizeLine(of chunk: Int, size: Int) -> String {
        switch self {
        case .malformedChunkSize(let faulty) where faulty == chunk: return "zz"
        case .wrongChunkSize(let faulty, let error) where faulty == chunk:
            let (wrong, overflows) = size.addingReportingOverflow(error)
            return String(overflows ? size : max(0, wrong), radix: 16)
        default: return String(size, radix: 16)
        }
    }
}
