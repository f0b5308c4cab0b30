import Errand

/// Stores a large object in parts, some at a time: each is sent again by itself when it fails.
///
/// ```swift
/// let version = try await MultipartUpload(of: .file(film), to: "2026/summer.mp4", in: bucket).start().value
/// ```
///
/// The object is there when all of it is. What fails or is cancelled is aborted before this ends, so that no parts are
/// left behind to be paid for: a caller that cancels waits for that, ten seconds at most, and thirty for an upload that
/// is being begun. An abort that fails too is left to the bucket's rules for such uploads. Should the answer to the
/// last request of all be lost, the object may be there although this failed.
///
/// The upload sends as many parts at once as ``Bucket/limit`` allows, and reads no more.
struct MultipartUpload: Request, Sendable {
    /// The source of the bytes.
    enum Source: Sendable {
        case data(Data)
        /// A file, read while it is sent, as long as it is when the upload begins.
        case file(URL)
    }

    private let source: Source
    private let key: ObjectKey
    private let type: ContentType?
    private let bucket: Bucket
    private let partSize: Int

    /// - Parameter partSize: The size of a part in bytes; 5 MiB if it is less.
    init(
        of source: Source, to key: ObjectKey, type: ContentType? = .octetStream, in bucket: Bucket,
        partSize: Int = 8 << 20
    ) {
        self.source = source
        self.key = key
        self.type = type
        self.bucket = bucket
        self.partSize = partSize
    }

    func start() -> Pipeline<StoredVersion, any Error> {
        Pipeline { () async throws(any Error) in try await upload() }
    }

    private func upload() async throws -> StoredVersion {
        if Task.isCancelled { throw ErrandError(.cancelled) }
        let plan = PartPlan(byteCount: try source.byteCount, partSize: partSize)
        // Not cancelled with the caller, because an upload would then exist whose identifier is unknown.
        let id = try await untilItEnds { try await CreateMultipartUpload(key, type: type, in: bucket).start().value }
        do {
            let parts = try await upload(plan, as: id)
            return try await CompleteMultipartUpload(id, of: parts, key: key, in: bucket).start().value
        } catch {
            try? await untilItEnds { try await AbortMultipartUpload(id, key: key, in: bucket).start().value }
            throw error
        }
    }

    /// Sends the parts. When one fails, the others are cancelled, and have ended when this does.
    private func upload(_ plan: PartPlan, as id: UploadID) async throws -> [UploadedPart] {
        try await withThrowingTaskGroup(of: UploadedPart.self) { group in
            var waiting = plan.ranges.enumerated().makeIterator()
            func addPart() {
                guard let (index, range) = waiting.next() else { return }
                group.addTask {
                    try await UploadPart(index + 1, source.body(range), of: id, key: key, in: bucket).start().value
                }
            }
            for _ in 0..<bucket.limit.limit { addPart() }
            var parts: [UploadedPart] = []
            while let part = try await group.next() {
                parts.append(part)
                addPart()
            }
            return parts
        }
    }

    /// Runs an operation that continues to its end if the caller is cancelled; the caller waits for it.
    private func untilItEnds<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws
        -> Value
    {
        try await Task { try await work() }.value
    }
}

extension MultipartUpload.Source {
    /// Returns the number of bytes.
    ///
    /// - Throws: `ErrandError` with `bodyEncodingFailed`.
    fileprivate var byteCount: Int {
        get throws {
            switch self {
            case .data(let data): return data.count
            case .file(let file):
                do {
                    return try BodyStream(file: file).count ?? 0
                } catch {
                    throw ErrandError(.bodyEncodingFailed, reason: "the file cannot be read", underlyingError: error)
                }
            }
        }
    }

    /// Returns a range of the bytes.
    fileprivate func body(_ range: Range<Int>) -> RequestBody {
        switch self {
        case .data(let data): .data(data.dropFirst(range.lowerBound).prefix(range.count), type: nil)
        case .file(let file): .file(file, bytes: range, type: nil)
        }
    }
}
