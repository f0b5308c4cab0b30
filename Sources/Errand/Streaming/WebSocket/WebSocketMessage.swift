/// A message of a WebSocket (RFC 6455, section 5.6).
public enum WebSocketMessage: Hashable, Sendable {
    /// A text. Received texts are verified as UTF-8.
    case text(String)
    /// Bytes.
    case data(Data)

    /// The number of bytes.
    var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        }
    }

    /// The bytes of the data, or the UTF-8 of the text.
    public var data: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .data(let data): data
        }
    }

    /// The text; `nil` for bytes.
    public var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }
}

extension WebSocketMessage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind and the size, such as `text (12 bytes)`.
    public var description: String {
        switch self {
        case .text: "text (\(size) bytes)"
        case .data: "data (\(size) bytes)"
        }
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows only the description, so that `dump` prints no content.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
