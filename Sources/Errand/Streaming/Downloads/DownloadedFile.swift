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

extension DownloadedFile {
    /// The name that the server gives the file, safe to be used as one: that of `Content-Disposition` (RFC 6266), else the last part of
    /// the URL. `nil` if there is neither.
    ///
    /// ```swift
    /// let file = try await BookDownload(id: 7, to: temporary).start().value
    /// let target = folder.appendingPathComponent(file.suggestedFilename ?? "book")
    /// ```
    public var suggestedFilename: String? {
        headers.contentDisposition?.filename
            ?? responseURL.flatMap { ContentDisposition(filename: $0.lastPathComponent).filename }
    }
}

extension DownloadedFile: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the file and the size.
    public var description: String { "\(url.lastPathComponent) (\(byteCount) bytes)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no header value.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
