/// A decoded value together with the response from which it was decoded.
public struct DecodedResponse<Value> {
    /// The value of the body.
    public let value: Value
    /// The response: its status, its header fields and its body.
    public let response: DataResponse

    /// Creates a pair of a value and its response.
    public init(value: Value, response: DataResponse) {
        self.value = value
        self.response = response
    }
}

extension DecodedResponse: Sendable where Value: Sendable {}

extension DecodedResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type of the value and the response, without their contents.
    public var description: String { "\(Value.self) of \(response)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror with only the description, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
