import Errand

/// Downloads an object, or a range of it, into memory.
final class GetObject: ObjectStorageAPI, Request {
    /// - Parameter range: The range of bytes; `nil` for all.
    init(_ key: ObjectKey, _ range: ByteRange? = nil, in bucket: Bucket) {
        super.init(bucket, key: key)
        headers[.accept] = nil
        headers[.range] = range?.field
    }

    func start() -> Pipeline<StoredObject, any Error> {
        sendRequest().map { StoredObject($0) }
    }
}

/// A range of bytes of an object (RFC 9110, section 14.1.2).
enum ByteRange: Hashable, Sendable {
    /// From one byte to another, counted from 0, inclusive.
    case bytes(ClosedRange<UInt64>)
    /// From a byte to the end.
    case from(UInt64)
    /// This many bytes at the end.
    case last(UInt64)

    /// The value of `Range`.
    var field: String {
        switch self {
        case .bytes(let range): "bytes=\(range.lowerBound)-\(range.upperBound)"
        case .from(let first): "bytes=\(first)-"
        case .last(let count): "bytes=-\(count)"
        }
    }
}
