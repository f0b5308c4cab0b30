import Foundation
import Testing

@testable import ErrandOpenAPI

/// The parts of multipart bodies and responses.
@Suite struct PartTests {
    /// Generates a form of two parts.
    ///
    /// - Parameters:
    ///   - encoding: The encodings of its parts `a`, a text, and `f`, a file.
    ///   - required: The names of the parts that are required.
    private func form(_ encoding: String, required: String = "") -> Generated {
        let properties = "{a: {type: string}, f: {type: string, format: binary}, o: {type: object}}"
        let schema = "{type: object, required: [\(required)], properties: \(properties)}"
        return Generated(
            operation: """
                requestBody: {required: true, content: {multipart/form-data: {schema: \(schema), encoding: {\(encoding)}}}}
                responses: {'204': {description: x}}
                """)
    }

    private func response(_ responses: String) -> Generated {
        Generated(operation: "responses: {\(responses)}")
    }

    // MARK: Forms

    @Test(arguments: [
        ("a: {contentType: text/plain}", #"form.append("a", a)"#),
        ("a: {contentType: text/csv}", #"form.append("a", a, type: "text/csv")"#),
        ("a: {contentType: 'text/csv, text/plain'}", #"form.append("a", a)"#),
        ("a: {contentType: 'text/*'}", #"form.append("a", a)"#),
        ("a: {contentType: application/json}", #"form.append("a", json: a)"#),
        ("o: {contentType: application/vnd.o+json}", #"form.append("o", json: o, type: "application/vnd.o+json")"#),
        // What has no text is JSON, whatever its type is.
        ("o: {contentType: text/csv}", #"form.append("o", json: o)"#),
        ("f: {contentType: image/png}", #"form.append("f", f, type: "image/png")"#),
        ("f: {contentType: 'image/*'}", #"form.append("f", f)"#),
    ])
    func `a part has the media type of its encoding`(_ encoding: String, _ statement: String) {
        let generated = form(encoding)
        #expect(generated.code("Requests/Items.swift").contains("    \(statement)\n"))
        #expect(!generated.messages.contains { $0.contains("[unsupported]") })
    }

    @Test(arguments: [
        ("schema: {type: integer}", "fXN: Int? = nil", #"fHeaders.append("X-N", encoding: fXN)"#),
        ("required: true, schema: {type: integer}", "fXN: Int", #"fHeaders.append("X-N", encoding: fXN)"#),
        (
            "schema: {type: object, properties: {b: {}}}, explode: true", "fXN: FXN? = nil",
            #"fHeaders.append("X-N", encoding: fXN, explode: true)"#
        ),
        ("schema: {type: string, format: date-time}", "fXN: Date? = nil", #"fHeaders.append("X-N", encoding: fXN)"#),
        ("required: true", "fXN: String", #"fHeaders.append("X-N", encoding: fXN)"#),
        (
            "content: {application/json: {schema: {type: array, items: {type: integer}}}}", "fXN: [Int]? = nil",
            #"fHeaders.append("X-N", json: fXN)"#
        ),
        ("required: true, schema: {const: 7}", "fXN: Int = 7", #"fHeaders.append("X-N", encoding: fXN)"#),
    ])
    func `a header field of a part is a parameter with the type of the document`(
        _ header: String, _ parameter: String, _ statement: String
    ) {
        let code = form("f: {headers: {X-N: {\(header)}}}", required: "f").code("Requests/Items.swift")
        #expect(code.contains("\(parameter),") || code.contains("\(parameter)\n"), "\(code)")
        #expect(code.contains("var fHeaders = HeaderFields()"))
        #expect(code.contains(statement))
        #expect(code.contains(#"form.append("f", f, headers: fHeaders)"#))
    }

    @Test func `a required header field of an optional part is optional`() {
        let code = form("f: {headers: {X-N: {required: true, schema: {type: integer}}}}").code("Requests/Items.swift")
        #expect(code.contains("f: Upload? = nil, fXN: Int? = nil"))
        #expect(code.contains("The header field `X-N` of `f`. It is required if `f` is sent."))
    }

    @Test func `a form sets two header fields of parts itself`() {
        let generated = form("a: {headers: {Content-Type: {}, content-disposition: {}}}")
        #expect(!generated.code("Requests/Items.swift").contains("HeaderFields"))
        let notes = generated.messages.filter { $0.contains("note: the field Content-Disposition of the part \"a\"") }
        #expect(notes.count == 1, "\(generated.messages)")
    }

    @Test func `names of header fields differ from those of parts and of other parameters`() {
        let operation = """
            parameters: [{name: fXN, in: query, schema: {type: string}}, {name: fHeaders, in: query, schema: {type: string}}]
            requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {f: {type: string}, 'f-X-N': {type: string}}}, encoding: {f: {headers: {X-N: {}}}}}}}
            responses: {'204': {description: x}}
            """
        let code = Generated(operation: operation).code("Requests/Items.swift")
        #expect(code.contains("var fHeaders2 = HeaderFields()"))
        #expect(code.contains(#"fHeaders2.append("X-N", encoding: partHeaderFXN)"#), "\(code)")
        #expect(code.contains(#"form.append("f-X-N", partFXN)"#), "\(code)")
    }

    // MARK: Responses

    @Test(arguments: [
        "multipart/mixed", "multipart/form-data", "multipart/x-mixed-replace", "multipart/related",
        "multipart/byteranges", "'multipart/mixed; a=b'",
    ])
    func `a multipart response is a sequence of its parts`(_ type: String) {
        let code = response("'200': {description: x, content: {\(type): {}}}").code("Requests/Items.swift")
        #expect(code.contains("final class Items: TestAPI, StreamingRequest {"))
        #expect(code.contains("headers[\"Accept\"] = \"\(type.filter { $0 != "'" })\""))
        #expect(code.contains("startStream() -> some AsyncSequence<StreamedPart, any Error> & Sendable"))
        #expect(code.contains("sendStream().streamedParts()"))
        #expect(!code.contains("func start()"))
    }

    @Test func `a response that is JSON or multipart is read in both ways`() {
        let content = "application/json: {schema: {type: integer}}, multipart/mixed: {}"
        let code = response("'200': {description: x, content: {\(content)}}").code("Requests/Items.swift")
        #expect(
            code.contains(
                "headers[\"Accept\"] = \"application/json\"\n            return sendRequest().decode(Int.self)"))
        #expect(
            code.contains("headers[\"Accept\"] = \"multipart/mixed\"\n            return sendStream().streamedParts()"))
    }

    @Test func `several ranges of another type are read as that type is`() {
        let responses =
            "'200': {description: x, content: {video/mp4: {}}}, '206': {description: x, content: {multipart/byteranges: {}}}"
        let code = response(responses).code("Requests/Items.swift")
        #expect(code.contains("start() -> Pipeline<Data, any Error>"))
        #expect(code.contains("startStream() -> ResponseStream"))
        #expect(code.contains("headers[\"Accept\"] = \"video/mp4, multipart/byteranges\""))
    }

    private static let described = """
        '200': {description: x, content: {multipart/mixed: {schema: {type: object, properties: {meta: \
        {type: object, required: [n], properties: {n: {type: integer}}}, images: {type: array, items: {type: string, \
        format: binary}}, text: {type: string}}}, encoding: {images: {contentType: image/png}}}}}
        """

    @Test func `the types of the parts are generated and documented`() {
        let code = response(Self.described).code("Requests/Items.swift")
        #expect(
            code.contains(
                """
                        /// Returns the parts of the response as they arrive:
                        /// - `meta`: `Meta` as `application/json`
                        /// - `images`: `image/png`
                        /// - `text`: `text/plain`
                """))
        #expect(code.contains("public struct Meta: Codable, Hashable, Sendable {"))
    }

    @Test func `a stub has a part for each property`() throws {
        let stubs = response(Self.described).stubs
        let text = try #require(stubs.values.first { $0.contains("boundary=part") })
        #expect(text.contains(#""type": "multipart/mixed; boundary=part""#))
        #expect(
            text.contains(#"Content-Type: application/json\u000d\n\u000d\n{\"n\": 1}\u000d\n--part\u000d\n"#), "\(text)"
        )
        #expect(text.contains(#"name=\"text\"\u000d\nContent-Type: text/plain\u000d\n\u000d\ntext\u000d\n--part--"#))
    }
}
