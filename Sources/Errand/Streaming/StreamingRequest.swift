/// A request whose response is a sequence of values. Like ``Request``, it is a leaf in a hierarchy of API classes.
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
/// Only leaves conform, as with ``Request``. A leaf may conform to both protocols.
public protocol StreamingRequest<Stream> {
    /// The type of the stream: ``ResponseStream``, or a sequence derived from one.
    associatedtype Stream: AsyncSequence

    /// Builds the request and returns its stream. The request is sent when the stream is read.
    func startStream() -> Stream
}
