/// How a WebSocket's messages become values, and values messages.
///
/// ```swift
/// webSocket(.json(receiving: ChatEvent.self, sending: ChatCommand.self))
/// ```
public struct WebSocketCoding<Incoming: Sendable, Outgoing: Sendable>: Sendable {
    let decode: @Sendable (WebSocketMessage) throws -> Incoming
    let encode: @Sendable (Outgoing) throws -> WebSocketMessage

    /// A coding of your own.
    ///
    /// - Parameters:
    ///   - decode: Reads a message. What it throws is the failure of this one element.
    ///   - encode: Writes a value. What it throws is what `send` throws.
    public init(
        decode: @escaping @Sendable (WebSocketMessage) throws -> Incoming,
        encode: @escaping @Sendable (Outgoing) throws -> WebSocketMessage
    ) {
        self.decode = decode
        self.encode = encode
    }
}

extension WebSocketCoding where Incoming == WebSocketMessage, Outgoing == WebSocketMessage {
    /// Messages as they are.
    public static var messages: Self { Self(decode: { $0 }, encode: { $0 }) }
}

extension WebSocketCoding where Incoming == String, Outgoing == String {
    /// Texts. Bytes that come are a failed element.
    public static var text: Self {
        Self(
            decode: { message in
                guard let text = message.text else {
                    throw ErrandError(.decodingFailed, reason: "the message is no text")
                }
                return text
            }, encode: { .text($0) })
    }
}

extension WebSocketCoding where Incoming == Data, Outgoing == Data {
    /// Bytes. Of a text that comes, its UTF-8.
    public static var data: Self { Self(decode: \.data, encode: { .data($0) }) }
}

extension WebSocketCoding where Incoming: Decodable, Outgoing: Encodable {
    /// JSON (RFC 8259), sent as text and taken as either.
    ///
    /// - Parameters:
    ///   - receiving: The type of what comes.
    ///   - sending: The type of what is sent.
    ///   - decoder: Reads what comes.
    ///   - encoder: Writes what is sent.
    public static func json(
        receiving: Incoming.Type = Incoming.self, sending: Outgoing.Type = Outgoing.self,
        decoder: some DataDecoder = FastJSONDecoder(), encoder: some DataEncoder = FastJSONEncoder()
    ) -> Self {
        Self(
            decode: { message in
                switch message {
                case .text(let text): try decoder.decode(Incoming.self, from: text)
                case .data(let data): try decoder.decode(Incoming.self, from: data)
                }
            },
            encode: { .text(String(decoding: try encoder.encode($0), as: UTF8.self)) })
    }
}

extension WebSocketCoding {
    /// A message as a value, or why it is none.
    func element(_ message: WebSocketMessage) -> Result<Incoming, ErrandError> {
        do {
            return .success(try decode(message))
        } catch let error as ErrandError {
            return .failure(error)
        } catch {
            let place = DecodingFailure(error, in: message.data, isJSON: true)
            return .failure(ErrandError(.decodingFailed, reason: place.description, underlyingError: error))
        }
    }

    /// A value as a message.
    func message(_ value: Outgoing) throws(ErrandError) -> WebSocketMessage {
        do {
            return try encode(value)
        } catch let error as ErrandError {
            throw error
        } catch {
            throw ErrandError(.bodyEncodingFailed, underlyingError: error)
        }
    }
}
