/// A request whose answer is many values, read as they come: the leaf of a hierarchy of API classes, beside ``Request``.
///
/// ```swift
/// final class ExportRequest: LibraryAPI, StreamingRequest {
///     func startStream() -> ResponseStream {
///         sendStream()
///     }
/// }
///
/// for try await piece in ExportRequest().startStream() { count += piece.count }
/// ```
///
/// Only leaves conform, as with ``Request``. A leaf may conform to both.
public protocol StreamingRequest<Stream> {
    /// What the request gives: ``ResponseStream``, or what is made of one.
    associatedtype Stream: AsyncSequence

    /// Builds the request and says what comes of it. Nothing is sent before the stream is read.
    func startStream() -> Stream
}
