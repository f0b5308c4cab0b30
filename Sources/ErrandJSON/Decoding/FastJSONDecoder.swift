/// A decoder of JSON for `Decodable` types: the default decoder of an API.
///
/// It has the options of Foundation's `JSONDecoder` under the same names, throws the same errors with the same coding
/// paths, and takes a fraction of the time. <doc:ErrandJSON> has the figures and a table of the differences.
///
/// ```swift
/// let decoder = FastJSONDecoder(keys: .convertFromSnakeCase, dates: .iso8601)
/// let user = try decoder.decode(User.self, from: data)
/// ```
///
/// A document is UTF-8, with or without a byte order mark, UTF-16 or UTF-32. Its outermost value can be of any kind
/// (RFC 8259). If an object has a key twice, the first one counts. Keys are equal if their Unicode scalars are.
///
/// A document from an unknown sender cannot exhaust the stack: it is read without recursion up to ``maximumDepth``. A
/// number has at most 4,096 characters, a document less than 4 GiB, and an array or object at most 67 million elements.
public struct FastJSONDecoder: Sendable {
    /// How a `Date` is decoded; by default as seconds since 2001, as `Date` itself does.
    public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    /// How `Data` is decoded; from Base64 by default.
    public var dataDecodingStrategy = JSONDecoder.DataDecodingStrategy.base64
    /// Which strings are numbers that JSON does not have, such as infinity; none by default.
    public var nonConformingFloatDecodingStrategy = JSONDecoder.NonConformingFloatDecodingStrategy.throw
    /// How the keys of the document become those of the type; unchanged by default. The keys of a dictionary do not
    /// change.
    ///
    /// If two keys of an object become the same, either of them can count.
    public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy
    /// Values for the `userInfo` of the decoder that a type is decoded from; none by default.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// How deep arrays and objects can be nested; 512 by default. Decoding a document that is nested deeper fails, and
    /// so does decoding types that are nested deeper than the thread's stack allows.
    ///
    /// A ``JSONValue`` is nested at most 512 deep, even if this property is greater.
    public var maximumDepth = 512

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - keys: The ``keyDecodingStrategy``; by default, keys are unchanged.
    ///   - dates: The ``dateDecodingStrategy``; by default, the seconds since 2001.
    public init(
        keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys,
        dates: JSONDecoder.DateDecodingStrategy = .deferredToDate
    ) {
        keyDecodingStrategy = keys
        dateDecodingStrategy = dates
    }

    /// Decodes a value.
    ///
    /// - Throws: `DecodingError`, whose ``Swift/DecodingError/jsonLocation`` is the place of the value that cannot be
    ///   decoded. The error's text does not quote the document, except a text that a type gives its own error. An error
    ///   of another type is thrown as it is.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try data.withUnsafeBytes { try decode(type, from: $0) }
    }

    /// Decodes a value from a text.
    ///
    /// - Throws: As ``decode(_:from:)-(_,Data)``.
    public func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        var text = text
        return try text.withUTF8 { try decode(type, from: UnsafeRawBufferPointer($0)) }
    }

    /// Decodes a value from bytes that need not outlive the call.
    ///
    /// - Parameter places: The errors that contain their place in the bytes.
    package func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: UnsafeRawBufferPointer, places: ErrorPlaces = .decodingErrors
    ) throws -> Value {
        try withDocument(bytes, places: places) { try $0.decode(type, at: 0) }
    }

    /// Decodes a value with a configuration.
    ///
    /// - Throws: As ``decode(_:from:)-(_,Data)``.
    public func decode<Value: DecodableWithConfiguration>(
        _ type: Value.Type, from data: Data, configuration: Value.DecodingConfiguration
    ) throws -> Value {
        try data.withUnsafeBytes { bytes in
            try withDocument(bytes) { document in
                try document.locating(at: 0) { try Value(from: $0, configuration: configuration) }
            }
        }
    }

    /// Decodes a value with the configuration that a type provides.
    ///
    /// - Throws: As ``decode(_:from:)-(_,Data)``.
    public func decode<Value: DecodableWithConfiguration, Provider: DecodingConfigurationProviding>(
        _ type: Value.Type, from data: Data, configuration: Provider.Type
    ) throws -> Value where Value.DecodingConfiguration == Provider.DecodingConfiguration {
        try decode(type, from: data, configuration: Provider.decodingConfiguration)
    }

    /// Reads a document and calls `body` with it.
    private func withDocument<Result>(
        _ bytes: UnsafeRawBufferPointer, places: ErrorPlaces = .decodingErrors,
        _ body: (JSONDocument) throws -> Result
    ) throws -> Result {
        try withUTF8(bytes) { text in
            var document = try JSONDocument(text, decoder: self)
            defer {
                // A type can keep the decoder that it was decoded from, but the caller's bytes are valid only during
                // this call.
                if !isKnownUniquelyReferenced(&document) { document.copyBytes() }
            }
            do {
                return try body(document)
            } catch let error as DecodingError {
                // With a new identity, every place counts as one in another document, and is removed.
                throw error.located(
                    in: text, of: places == .none ? JSONOffset.DocumentIdentity() : document.identity)
            } catch {
                guard places == .allErrors, let failure = document.ownFailure else { throw error }
                throw document.located(error, at: failure.index, in: text)
            }
        }
    }

    /// Calls `body` with the document in UTF-8.
    private func withUTF8<Result>(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) throws -> Result {
        guard let encoding = JSONEncoding(bytes) else { return try body(bytes.bindMemory(to: UInt8.self)) }
        guard let text = encoding.utf8(bytes) else {
            throw DecodingError(
                JSONSyntaxError(reason: .invalidEncoding, offset: 0), in: bytes.bindMemory(to: UInt8.self))
        }
        return try text.withUnsafeBufferPointer(body)
    }
}
