import ErrandJSON
import Foundation
import TestTools
import Testing

/// The documents of nst/JSONTestSuite.
@Suite(.enabled(if: PublicSuite.json.folder != nil, "\(PublicSuite.reason)"))
struct `Public suite: JSONTestSuite` {
    @Test func `the documents of JSONTestSuite are complete`() throws {
        #expect(try files("y_").count == 95)
        #expect(try files("n_").count == 188)
        #expect(try files("i_").count == 35)
    }

    @Test func `every valid document of JSONTestSuite is accepted`() throws {
        for file in try files("y_") {
            #expect(throws: Never.self, "\(file.lastPathComponent)") {
                let value = try FastJSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
                // The decoded value can be encoded, and decodes as the same value.
                #expect(try FastJSONDecoder().decode(JSONValue.self, from: FastJSONEncoder().encode(value)) == value)
            }
        }
    }

    @Test func `every invalid document of JSONTestSuite is rejected`() throws {
        for file in try files("n_") {
            #expect(throws: DecodingError.self, "\(file.lastPathComponent)") {
                try FastJSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
            }
        }
    }

    /// The documents that RFC 8259 leaves to the parser.
    @Test func `implementation-defined documents of JSONTestSuite have the documented outcome`() throws {
        let accepted = try files("i_").filter { file in
            (try? FastJSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))) != nil
        }
        // Numbers of any size, a byte order mark, and UTF-16 with one.
        let expected = try files("i_").map(\.lastPathComponent).filter { name in
            name.hasPrefix("i_number") || name == "i_structure_500_nested_arrays.json"
                || name == "i_structure_UTF-8_BOM_empty_object.json"
                || name == "i_string_UTF-16LE_with_BOM.json" || name.contains("utf16") && name.contains("no_BOM")
        }
        #expect(accepted.map(\.lastPathComponent).sorted() == expected.sorted())
    }

    private func files(_ prefix: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: #require(PublicSuite.json.folder), includingPropertiesForKeys: nil
        )
        .filter { $0.lastPathComponent.hasPrefix(prefix) }
    }
}
