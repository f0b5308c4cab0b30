import ErrandJSON
import Testing

/// One case of a row of the guide's table, run with both coders.
struct DeviationExample: Sendable, CustomTestStringConvertible {
    let deviation: Deviation
    let name: String
    /// The results of each coder. Some differ from run to run.
    let foundation: [String]
    let errand: [String]
    let run: @Sendable () -> (foundation: String, errand: String)

    var testDescription: String { "\(deviation): \(name)" }

    /// A document that both coders decode.
    static func decoding<Value: Decodable & Equatable & SendableMetatype>(
        _ deviation: Deviation, _ document: String, as type: Value.Type, foundation: String..., errand: String...,
        options: @escaping @Sendable (inout FastJSONDecoder, JSONDecoder) -> Void = { _, _ in }
    ) -> DeviationExample {
        decoding(
            deviation, Data(document.utf8), name: document, as: type, foundation: foundation, errand: errand,
            options: options)
    }

    static func decoding<Value: Decodable & Equatable & SendableMetatype>(
        _ deviation: Deviation, _ document: Data, name: String, as type: Value.Type, foundation: [String],
        errand: [String],
        options: @escaping @Sendable (inout FastJSONDecoder, JSONDecoder) -> Void = { _, _ in }
    ) -> DeviationExample {
        DeviationExample(
            deviation: deviation, name: "\(type) of \(name.prefix(60))", foundation: foundation, errand: errand
        ) {
            var decoder = FastJSONDecoder()
            let foundation = JSONDecoder()
            options(&decoder, foundation)
            let comparison = JSONComparison(document, as: type, decoder, foundation)
            return (comparison.foundation.description, comparison.errand.description)
        }
    }

    /// A value that both coders encode.
    static func encoding(
        _ deviation: Deviation, _ name: String, foundation: String..., errand: String...,
        options: @escaping @Sendable (inout FastJSONEncoder, JSONEncoder) -> Void = { _, _ in },
        _ encode: @escaping @Sendable (any Encoder) throws -> Void
    ) -> DeviationExample {
        DeviationExample(deviation: deviation, name: name, foundation: foundation, errand: errand) {
            var encoder = FastJSONEncoder()
            let foundation = JSONEncoder()
            options(&encoder, foundation)
            return (
                JSONOutcome { String(decoding: try foundation.encode(Encoded(body: encode)), as: UTF8.self) }
                    .description,
                JSONOutcome { String(decoding: try encoder.encode(Encoded(body: encode)), as: UTF8.self) }.description
            )
        }
    }

    private struct Encoded: Encodable {
        let body: @Sendable (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }
}
