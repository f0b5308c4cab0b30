/// A decoded value together with the response that it was decoded from.
public struct DecodedResponse<Value> {
    /// The value of the body.
    public let value: Value
    /// The response: its status, its header fields and its body.
    public let response: DataResponse

    /// A value and its response.
    public init(value: Value, response: DataResponse) {
        self.value = value
        self.response = response
    }
}

extension DecodedResponse: Sendable where Value: Sendable {}
