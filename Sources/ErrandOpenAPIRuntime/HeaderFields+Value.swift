extension HeaderFields {
    /// Returns the value of a header field as a type that can be decoded from JSON: a number, a Boolean, a date, an
    /// enumeration or text.
    ///
    /// - Returns: `nil` if the field is missing, or if its value has another form.
    public func value<Value: Decodable & SendableMetatype>(of name: String, as type: Value.Type = Value.self) -> Value?
    {
        guard let text = self[name], let quoted = try? FastJSONEncoder.openAPI.encode(text) else { return nil }
        let decoder = FastJSONDecoder.openAPI
        // Without quotation marks, the text can be a number or a Boolean.
        return (try? decoder.decode(type, from: quoted)) ?? (try? decoder.decode(type, from: Data(text.utf8)))
    }
}
