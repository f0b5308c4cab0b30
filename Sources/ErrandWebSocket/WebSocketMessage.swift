public import Errand

/// A message of a WebSocket (RFC 6455, section 5.6).
public enum WebSocketMessage: Hashable, Sendable {
    /// A text. Received texts are verified as UTF-8.
    case text(String)
    /// Bytes.
    case data(Data)

    /// The number of bytes of the data, or of the text in UTF-8.
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

extension WebSocketMessage: Confidential {
    /// The kind and the size, such as `text (12 bytes)`.
    public var description: String {
        switch self {
        case .text: "text (\(size) bytes)"
        case .data: "data (\(size) bytes)"
        }
    }
}

/// The code with which a WebSocket was closed (RFC 6455, section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    /// The number. RFC 6455 uses 1000 to 4999.
    public let rawValue: UInt16

    /// Creates a code from its number. Libraries register 3000 to 3999, and 4000 to 4999 are for private use by
    /// applications.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// 1000: the purpose of the connection is fulfilled.
    public static let normal = WebSocketCloseCode(rawValue: 1000)
    /// 1001: the server shuts down, or the client leaves.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// 1002: the other side violated the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// 1003: the other side sent a type of data that is not supported.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// 1005: the close frame had no code. It is never sent.
    public static let noStatus = WebSocketCloseCode(rawValue: 1005)
    /// 1006: there was no close frame. It is never sent.
    public static let abnormal = WebSocketCloseCode(rawValue: 1006)
    /// 1007: the content of a message is invalid, such as a text that is not UTF-8.
    public static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    /// 1008: a message violates the receiver's policy.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// 1009: a message is longer than the receiver's limit.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// 1010: the server did not agree to an extension that the client requires.
    public static let mandatoryExtension = WebSocketCloseCode(rawValue: 1010)
    /// 1011: the server failed.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)
    /// 1012: the server restarts.
    public static let serviceRestart = WebSocketCloseCode(rawValue: 1012)
    /// 1013: the server is overloaded.
    public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)
    /// 1014: a gateway received an invalid response from its server.
    public static let badGateway = WebSocketCloseCode(rawValue: 1014)

    /// Whether a close frame may contain the code: one of 1000 to 1003, 1007 to 1014 and 3000 to 4999.
    package var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// Whether the code describes a normal end of the connection: 1000, 1001, or 1005 for none.
    var isNormalEnd: Bool { [.normal, .goingAway, .noStatus].contains(self) }
}

extension WebSocketCloseCode: CustomStringConvertible {
    /// The number.
    public var description: String { "\(rawValue)" }
}

/// The end of a WebSocket, as the close frame of the other side describes it, or the content of a close frame to send.
///
/// An error with `webSocketClosed` can have it as its ``/Errand/ErrandError/underlyingError``.
public struct WebSocketClosure: Error, Hashable, Sendable {
    /// The code; ``WebSocketCloseCode/noStatus`` if the close frame had none, and ``WebSocketCloseCode/abnormal``
    /// without a close frame.
    public var code: WebSocketCloseCode
    /// The text of the side that closes, which may be empty. Descriptions do not show it.
    public var reason: String

    /// Creates a closure with a code and a reason.
    public init(code: WebSocketCloseCode, reason: String = "") {
        self.code = code
        self.reason = reason
    }
}

extension WebSocketClosure {
    /// The reason, truncated to the 123 bytes that a close frame can hold after the code (RFC 6455, section 5.5). The
    /// last Unicode scalar is whole.
    package var sendableReason: String {
        var size = 0
        return String(
            reason.unicodeScalars.prefix { scalar in
                size += UTF8.width(scalar)
                return size <= 123
            })
    }
}

extension WebSocketClosure: Confidential {
    /// The code.
    public var description: String { "closed with \(code)" }
}
