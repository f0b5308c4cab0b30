public import Foundation

/// An amount of a currency: a custom type for a schema with members.
public struct Money: Codable, Hashable, Sendable {
    /// The amount.
    public let amount: Decimal
    /// The code of the currency.
    public let currency: String

    /// Creates an amount.
    public init(_ amount: Decimal, _ currency: String) {
        (self.amount, self.currency) = (amount, currency)
    }

    private enum CodingKeys: String, CodingKey { case amount, currency }

    /// Decodes an amount from text, in which it has all its digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let amount = Decimal(string: try container.decode(String.self, forKey: .amount)) else {
            throw DecodingError.dataCorruptedError(forKey: .amount, in: container, debugDescription: "not an amount")
        }
        self.init(amount, try container.decode(String.self, forKey: .currency))
    }

    /// Encodes the amount as text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("\(amount)", forKey: .amount)
        try container.encode(currency, forKey: .currency)
    }
}

/// A hundredth of a currency: a custom type for an integer with a format.
public struct Cents: Codable, Hashable, Sendable, RawRepresentable {
    /// The number of hundredths.
    public let rawValue: Int

    /// Creates an amount.
    public init(rawValue: Int) { self.rawValue = rawValue }
}
