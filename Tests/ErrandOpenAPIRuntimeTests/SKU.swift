/// The number of a product, such as `AB-12`: a custom type for a text with a format.
struct SKU: Codable, Hashable, Sendable {
    let letters: String
    let number: Int

    init?(_ text: String) {
        let parts = text.split(separator: "-")
        guard parts.count == 2, let number = Int(parts[1]) else { return nil }
        (letters, self.number) = (String(parts[0]), number)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let sku = SKU(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a number such as AB-12")
        }
        self = sku
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(letters)-\(number)")
    }
}
