/// A complete, downloaded file at its target.
public struct DownloadedFile: Sendable {
    /// The URL of the file: the target.
    public let url: URL
    /// The length of the file in bytes.
    public let byteCount: Int64
    /// The number of bytes that an earlier run downloaded and that were not fetched again.
    public let resumedByteCount: Int64
    /// The digests that the file was compared with: the caller's and the server's. It is empty if there was none.
    public let verifiedDigests: [FileDigest]
    /// The status of the last response: 200 or 203 for a whole file, 206 for the rest of one, or 416 if the file was
    /// already complete.
    public let statusCode: Int
    /// The header fields of the last response.
    public let headers: HeaderFields
    /// The URL of the last response: that of the request, or the target of the last redirect.
    public let responseURL: URL?
}

extension DownloadedFile {
    /// The file name that the server suggests, sanitized so that it is safe to use.
    ///
    /// It is the file name in `Content-Disposition` (RFC 6266), otherwise the last path component of the URL; `nil` if
    /// there is neither.
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
    /// The name of the file and its size.
    public var description: String { "\(url.lastPathComponent) (\(byteCount) bytes)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows only the description, so that `dump` prints no header value.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
