/// How a WebSocket's messages become values, and values messages.
///
/// ```swift
/// webSocket(.json(receiving: ChatEvent.self, sending: ChatCommand.self))
/// ```
public struct WebSocketCoding<Incoming: Sendable, Outgoing: Sendable>: Sendable {
    private let decode: @Sendable (WebSocketMessage, Coders) throws -> Incoming
    private let encode: @Sendable (Outgoing, Coders) throws -> WebSocketMessage
    private var coders = Coders()

    /// The decoder and the encoder of the API that opens the WebSocket; `nil` for plain JSON.
    private struct Coders {
        var decoder: (any DataDecoder)?
        var encoder: (any DataEncoder)?
    }

    /// A coding of your own.
    ///
    /// - Parameters:
    ///   - decode: Reads a message. What it throws is the failure of this one element.
    ///   - encode: Writes a value. What it throws is what `send` throws.
    public init(
        decode: @escaping @Sendable (WebSocketMessage) throws -> Incoming,
        encode: @escaping @Sendable (Outgoing) throws -> WebSocketMessage
    ) {
        self.decode = { message, _ in try decode(message) }
        self.encode = { value, _ in try encode(value) }
    }

    private init(
        decode: @escaping @Sendable (WebSocketMessage, Coders) throws -> Incoming,
        encode: @escaping @Sendable (Outgoing, Coders) throws -> WebSocketMessage
    ) {
        self.decode = decode
        self.encode = encode
    }

    /// This coding for an API, whose decoder and encoder it uses where it was given none.
    func using(_ settings: Settings) -> Self {
        var coding = self
        coding.coders = Coders(decoder: settings.decoder, encoder: settings.encoder)
        return coding
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
    ///   - decoder: The decoder; `nil`, the default, uses that of the API that opens the WebSocket, or a
    ///     ``FastJSONDecoder``.
    ///   - encoder: The encoder; `nil`, the default, uses that of the API, or a ``FastJSONEncoder``.
    public static func json(
        receiving: Incoming.Type = Incoming.self, sending: Outgoing.Type = Outgoing.self,
        decoder: (any DataDecoder)? = nil, encoder: (any DataEncoder)? = nil
    ) -> Self {
        Self(
            decode: { message, coders in
                let decoder = decoder ?? coders.decoder ?? FastJSONDecoder()
                return switch message {
                case .text(let text): try decoder.decode(Incoming.self, from: text)
                case .data(let data): try decoder.decode(Incoming.self, from: data)
                }
            },
            encode: { value, coders in
                let encoder = encoder ?? coders.encoder ?? FastJSONEncoder()
                return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
            })
    }
}

extension WebSocketCoding {
    /// A message as a value, or why it is none.
    func element(_ message: WebSocketMessage) -> Result<Incoming, ErrandError> {
        do {
            return .success(try decode(message, coders))
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
            return try encode(value, coders)
        } catch let error as ErrandError {
            throw error
        } catch {
            throw ErrandError(.bodyEncodingFailed, underlyingError: error)
        }
    }
}
