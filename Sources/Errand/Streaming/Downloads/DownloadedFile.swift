/// A file that was downloaded, whole and in its place.
public struct DownloadedFile: Sendable {
    /// Where it is: the target.
    public let url: URL
    /// How many bytes it has.
    public let byteCount: Int64
    /// How many of them were there from an earlier run, and were not fetched again.
    public let resumedByteCount: Int64
    /// The digests that it was compared with: the caller's, and the server's; empty where nobody named one.
    public let verifiedDigests: [FileDigest]
    /// The status of the last answer: 200, 206 for the rest of a file, or 416 where all of it was there.
    public let statusCode: Int
    /// The header fields of the last answer.
    public let headers: HeaderFields
    /// Where the last answer came from: the request's URL, or the one that the last redirect led to.
    public let responseURL: URL?
}

extension DownloadedFile: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the file and the size.
    public var description: String { "\(url.lastPathComponent) (\(byteCount) bytes)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no header value.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
