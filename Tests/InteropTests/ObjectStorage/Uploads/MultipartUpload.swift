import Errand
import ErrandResilience

/// Stores a large object in parts, several at a time. Each part that fails is sent again separately.
///
/// ```swift
/// let version = try await MultipartUpload(of: .file(film), to: "2026/summer.mp4", in: bucket).start().value
/// ```
///
/// The object exists only after all parts are stored. An upload that fails or is cancelled is aborted, so that the
/// store does not charge for its parts. A caller that cancels waits for the abort for at most 10 seconds, or 30 seconds
/// while the upload is being created. If the abort fails too, the bucket's rules for incomplete uploads apply. If the
/// response to the last request is lost, the upload fails, but the object may exist.
///
/// The upload sends as many parts at once as ``Bucket/limit`` allows, and reads no more.
struct MultipartUpload: Sendable {
    /// The source of the bytes.
    enum Source: Sendable {
        case data(Data)
        /// A file, read while it is sent. Its length is determined when the upload begins.
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

    /// Returns the pipeline of the upload. Nothing is sent before it runs.
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

    /// Sends the parts. If one fails, the others are cancelled, and have ended before this method throws.
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
