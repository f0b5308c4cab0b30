public import Errand

/// The conversion between a WebSocket's messages and values.
///
/// ```swift
/// webSocket(.json(receiving: ChatEvent.self, sending: ChatCommand.self))
/// ```
public struct WebSocketCoding<Incoming: Sendable, Outgoing: Sendable>: Sendable {
    private let decode: @Sendable (WebSocketMessage, Coders) throws -> Incoming
    private let encode: @Sendable (Outgoing, Coders) throws -> WebSocketMessage
    private var coders = Coders()

    /// The decoder and the encoder of the API that opens the WebSocket; `nil` for those of ErrandJSON. Only the JSON
    /// coding uses them.
    private struct Coders {
        var decoder: (any DataDecoder)?
        var encoder: (any DataEncoder)?
    }

    /// Creates a custom coding.
    ///
    /// - Parameters:
    ///   - decode: Decodes a message. An error that it throws is the failure of this one element; an error that is not
    ///     an `ErrandError` gets the code `decodingFailed`.
    ///   - encode: Encodes a value. `send` throws the errors of this closure; an error that is not an `ErrandError`
    ///     gets the code `bodyEncodingFailed`.
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

    /// Returns this coding for an API, with the API's decoder and encoder as defaults.
    func using(_ settings: RequestSettings) -> Self {
        var coding = self
        coding.coders = Coders(decoder: settings.decoder, encoder: settings.encoder)
        return coding
    }
}

extension WebSocketCoding where Incoming == WebSocketMessage, Outgoing == WebSocketMessage {
    /// A coding that leaves messages unchanged.
    public static var messages: Self { Self(decode: { $0 }, encode: { $0 }) }
}

extension WebSocketCoding where Incoming == String, Outgoing == String {
    /// A coding of text messages. A received data message is an element with an error.
    public static var text: Self {
        Self(
            decode: { message in
                guard let text = message.text else {
                    throw ErrandError(.decodingFailed, reason: "the message is binary; a text message was expected")
                }
                return text
            }, encode: { .text($0) })
    }
}

extension WebSocketCoding where Incoming == Data, Outgoing == Data {
    /// A coding of data messages. A received text message is converted to its UTF-8 bytes.
    public static var data: Self { Self(decode: \.data, encode: { .data($0) }) }
}

extension WebSocketCoding where Incoming: Decodable, Outgoing: Encodable {
    /// Returns a coding of JSON (RFC 8259). Messages are sent as text, and received as text or data.
    ///
    /// - Parameters:
    ///   - receiving: The type of the received values.
    ///   - sending: The type of the sent values.
    ///   - decoder: The decoder; `nil`, the default, uses that of the API that opens the WebSocket, or a
    ///     ``/ErrandJSON/FastJSONDecoder``.
    ///   - encoder: The encoder; `nil`, the default, uses that of the API, or a ``/ErrandJSON/FastJSONEncoder``.
    public static func json(
        receiving: Incoming.Type = Incoming.self, sending: Outgoing.Type = Outgoing.self,
        decoder: (any DataDecoder)? = nil, encoder: (any DataEncoder)? = nil
    ) -> Self {
        Self(
            decode: { message, coders in
                let decoder = decoder ?? coders.decoder ?? FastJSONDecoder()
                return switch message {
                case .text(let text): try decoder.value(Incoming.self, from: text)
                case .data(let data): try decoder.value(Incoming.self, from: data)
                }
            },
            encode: { value, coders in
                let encoder = encoder ?? coders.encoder ?? FastJSONEncoder()
                return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
            })
    }
}

extension WebSocketCoding {
    /// Decodes a message into an element of the WebSocket.
    func element(_ message: WebSocketMessage) -> Result<Incoming, ErrandError> {
        do {
            return .success(try decode(message, coders))
        } catch let error as ErrandError {
            return .failure(error)
        } catch {
            let failure =
                error as? DecodingFailure ?? DecodingFailure(error, in: message.data, isJSON: false)
            return .failure(
                ErrandError(.decodingFailed, reason: failure.description, underlyingError: failure.cause))
        }
    }

    /// Encodes a value into a message.
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
