/// An encoder of `Encodable` values to JSON: the default encoder of an API.
///
/// It has the options of Foundation's `JSONEncoder` under the same names, writes the same JSON, and takes a fraction of
/// the time. <doc:ErrandJSON> has the figures and a table of the differences.
///
/// ```swift
/// let encoder = FastJSONEncoder(keys: .convertToSnakeCase, dates: .iso8601, formatting: .withoutEscapingSlashes)
/// let data = try encoder.encode(user)
/// ```
///
/// If a type encodes a key twice, the last value counts. Two nested containers of the same kind for one key become one.
public struct FastJSONEncoder: Sendable {
    /// The layout of the document; by default compact, in the order in which a type encodes its keys, and with slashes
    /// escaped.
    public var outputFormatting: JSONEncoder.OutputFormatting
    /// How a `Date` is encoded; by default as seconds since 2001, as `Date` itself does.
    public var dateEncodingStrategy: JSONEncoder.DateEncodingStrategy
    /// How `Data` is encoded; as Base64 by default.
    public var dataEncodingStrategy = JSONEncoder.DataEncodingStrategy.base64
    /// Which strings stand for numbers that JSON does not have, such as infinity; by default they are an error.
    public var nonConformingFloatEncodingStrategy = JSONEncoder.NonConformingFloatEncodingStrategy.throw
    /// How the keys of a type become those of the document; unchanged by default. The keys of a dictionary do not
    /// change.
    public var keyEncodingStrategy: JSONEncoder.KeyEncodingStrategy
    /// Values for the `userInfo` of the encoder that a type is encoded to; none by default.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// How deep arrays and objects can be nested; 512 by default. Encoding a value that is nested deeper fails.
    public var maximumDepth = 512

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - keys: The ``keyEncodingStrategy``; by default, keys are unchanged.
    ///   - dates: The ``dateEncodingStrategy``; by default, the seconds since 2001.
    ///   - formatting: The ``outputFormatting``; by default compact.
    public init(
        keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys,
        dates: JSONEncoder.DateEncodingStrategy = .deferredToDate, formatting: JSONEncoder.OutputFormatting = []
    ) {
        keyEncodingStrategy = keys
        dateEncodingStrategy = dates
        outputFormatting = formatting
    }

    /// Encodes a value. If a type may have encoded a key twice, the value is encoded a second time.
    ///
    /// - Throws: `EncodingError` for infinity and NaN, unless ``nonConformingFloatEncodingStrategy`` converts them.
    ///   Also for a value that encodes nothing, for one that is nested deeper than ``maximumDepth`` or than the
    ///   thread's stack allows, and if an encoder or a container is used after its value has been encoded. An
    ///   `encode(to:)` can throw other errors.
    public func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try encode(value) { tree in try tree.encode(value, in: 0) }
    }

    /// Encodes a value whose document has at most `limit` bytes. For a longer one, encoding stops soon after the limit.
    ///
    /// - Returns: The document; `nil` if it is longer.
    /// - Throws: As ``encode(_:)``, within the limit.
    package func encode<Value: Encodable>(_ value: Value, atMost limit: Int) throws -> Data? {
        var hasExceededLimit = false
        let data = Result {
            try encode(value, limit: limit) { tree in
                defer { hasExceededLimit = tree.hasExceededLimit }
                try tree.encode(value, in: 0)
            }
        }
        // The type may have ignored the error at the limit, or thrown another one instead.
        if hasExceededLimit { return nil }
        let document = try data.get()
        return document.count > limit ? nil : document
    }

    /// Encodes a value with a configuration.
    ///
    /// - Throws: As ``encode(_:)``.
    public func encode<Value: EncodableWithConfiguration>(
        _ value: Value, configuration: Value.EncodingConfiguration
    ) throws -> Data {
        try encode(value) { tree in
            try value.encode(to: TreeEncoder(tree: tree, reference: .root), configuration: configuration)
        }
    }

    /// Encodes a value with the configuration that a type provides.
    ///
    /// - Throws: As ``encode(_:)``.
    public func encode<Value: EncodableWithConfiguration, Provider: EncodingConfigurationProviding>(
        _ value: Value, configuration: Provider.Type
    ) throws -> Data where Value.EncodingConfiguration == Provider.EncodingConfiguration {
        try encode(value, configuration: Provider.encodingConfiguration)
    }

    /// - Parameter write: Encodes the value into a tree. It is called again if a key occurs twice in an object.
    private func encode(_ value: Any, limit: Int = .max, _ write: (JSONTree) throws -> Void) throws -> Data {
        do {
            return try document(of: value, JSONTree(encoder: self, limit: limit), write)
        } catch is JSONTree.MustBeLaidOut {
            return try document(of: value, JSONTree(encoder: self, limit: limit, isLaidOut: true), write)
        }
    }

    private func document(
        of value: Any, _ tree: consuming JSONTree, _ write: (JSONTree) throws -> Void
    ) throws -> Data {
        try write(tree)
        let isKept = !isKnownUniquelyReferenced(&tree)
        guard let data = try tree.document(of: value, isKept: isKept) else {
            let context = EncodingError.Context(
                codingPath: [], debugDescription: "\(type(of: value)) did not encode a value")
            throw EncodingError.invalidValue(value, context)
        }
        return data
    }
}
