import Foundation
import Testing

@testable import ErrandOpenAPI

/// The parts of multipart bodies and responses.
@Suite struct PartTests {
    /// Generates a form of two parts.
    ///
    /// - Parameters:
    ///   - encoding: The encodings of its parts, such as `a`, a text, and `f`, a file.
    ///   - required: The names of the parts that are required.
    private func form(_ encoding: String, required: String = "") -> Generated {
        let image = "{type: string, contentEncoding: base64, contentMediaType: image/png}"
        let bytes = "{type: string, contentMediaType: application/octet-stream}"
        let properties = """
            {a: {type: string}, f: {type: string, format: binary}, o: {type: object}, i: \(image), \
            l: {type: array, items: \(image)}, e: {enum: [x, y]}, g: \(bytes), m: {type: array, items: \(bytes)}}
            """
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
        (
            "o: {contentType: application/json; charset=utf-8}",
            #"form.append("o", json: o, type: "application/json;charset=utf-8")"#
        ),
        ("o: {contentType: Application/JSON}", #"form.append("o", json: o, type: "Application/JSON")"#),
        ("e: {contentType: text/csv}", #"form.append("e", e, type: "text/csv")"#),
        // Bytes are a text in Base64.
        ("", #"form.append("i", encoding: i, type: "image/png")"#),
        ("", #"form.append("l", encoding: l, type: "image/png")"#),
        ("i: {contentType: image/jpeg}", #"form.append("i", encoding: i, type: "image/jpeg")"#),
        ("f: {contentType: image/png}", #"form.append("f", f, type: "image/png")"#),
        ("f: {contentType: 'image/*'}", #"form.append("f", f)"#),
        ("f: {contentType: 'image/png, image/*'}", #"form.append("f", f, types: ["image/png", "image/*"])"#),
        ("", #"form.append("g", g)"#), ("", #"form.append("m", m)"#),
        ("g: {contentType: 'image/png, image/gif'}", #"form.append("g", g, types: ["image/png", "image/gif"])"#),
        ("g: {contentType: 'image/*'}", #"form.append("g", g)"#),
        ("g: {contentType: application/octet-stream}", #"form.append("g", g, type: "application/octet-stream")"#),
    ])
    func `a part has the media type of its encoding`(_ encoding: String, _ statement: String) {
        let generated = form(encoding)
        #expect(generated.code("Requests/Items.swift").contains("    \(statement)\n"))
        #expect(!generated.messages.contains { $0.contains("[unsupported]") })
    }

    @Test(arguments: ["application/xml", "text/csv"])
    func `an object is sent as JSON, with a warning if that is not its media type`(_ type: String) {
        let generated = form("o: {contentType: \(type)}")
        #expect(generated.code("Requests/Items.swift").contains("    form.append(\"o\", json: o)\n"))
        let text = "warning: the part \"o\" is sent as JSON, without its media type \(type) [unsupported]"
        #expect(generated.messages.filter { $0.contains(text) }.count == 1, "\(generated.messages)")
    }

    @Test(arguments: [
        ("{type: string, format: sku}", "text/plain"), ("{enum: [x, y]}", "text/plain"),
        ("{type: array, items: {type: integer}}", "text/plain"), ("{type: object}", "application/json"),
        ("{type: string, format: binary}", "application/octet-stream"),
        ("{type: string, contentMediaType: Text/CSV; header=present}", "text/csv"),
    ])
    func `related parts name the media type with which the first one is sent`(_ schema: String, _ type: String) {
        var options = ClientModel.Options()
        options.formats = ["sku": .custom(CustomType(type: "Sku"))]
        let body = "{multipart/related: {schema: {type: object, properties: {a: \(schema)}}}}"
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths: {/items: {post: {operationId: items, requestBody: {content: \(body)}, responses: {'204': {}}}}}
            """
        let code = Generated(text, options: options).code("Requests/Items.swift")
        #expect(code.contains(#"multipart/related; type=\"\#(type)\""#), "\(code)")
    }

    @Test(arguments: [
        ("{type: string}", "encoding: a"), ("{$ref: '#/components/schemas/Sku'}", "encoding: a"),
        ("{type: string, format: sku}", "encoding: a"),
        ("{type: array, items: {$ref: '#/components/schemas/Sku'}}", "encoding: a"),
        ("{type: object}", "json: a"), ("{type: array, items: {type: object}}", "json: a"),
    ])
    func `a custom type is sent as a text if its schema, or what that refers to, is one`(
        _ schema: String, _ argument: String
    ) {
        let custom = ChosenType.custom(CustomType(type: "Kit"))
        let body = "{multipart/form-data: {schema: {properties: {a: {$ref: '#/components/schemas/Made'}}}}}"
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths: {/items: {post: {operationId: items, requestBody: {content: \(body)}, responses: {'204': {}}}}}
            components: {schemas: {Made: \(schema), Sku: {type: string}}}
            """
        let options = ClientModel.Options(formats: ["sku": custom], types: ["Made": custom, "Sku": custom])
        let code = Generated(text, options: options).code("Requests/Items.swift")
        #expect(code.contains(#"form.append("a", \#(argument))"#), "\(code)")
    }

    @Test func `header fields of a part have valid names that differ`() {
        let generated = form("a: {headers: {X Bad: {}, X-A: {}, x-a: {}, '': {}}}")
        let code = generated.code("Requests/Items.swift")
        #expect(code.split(separator: "\n").filter { $0.contains("aHeaders.append(") }.count == 1, "\(code)")
        for text in [
            #"the field "X Bad" of the part "a" is ignored: it is not a valid name of a header field"#,
            #"the field "" of the part "a" is ignored: it is not a valid name of a header field"#,
            #"the field "x-a" of the part "a" is ignored: it differs from another one only in case"#,
        ] {
            #expect(generated.messages.contains { $0.contains("warning: \(text)") }, "\(generated.messages)")
        }
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

    @Test(arguments: ["application/jsonl", "text/event-stream", "multipart/mixed"])
    func `several ranges of another sequence are not read as parts`(_ type: String) {
        let responses =
            "'200': {description: x, content: {\(type): {}}}, '206': {description: x, content: {multipart/byteranges: {}}}"
        let generated = response(responses)
        let code = generated.code("Requests/Items.swift")
        #expect(code.contains("headers[\"Accept\"] = \"\(type)\""))
        #expect(code.contains("streamedParts()") == (type == "multipart/mixed"))
        #expect(!generated.stubs.values.contains { $0.contains("byteranges") })
    }

    @Test func `events are preferred to parts, with a note, and in the stub`() {
        let generated = response("'200': {description: x, content: {multipart/mixed: {}, text/event-stream: {}}}")
        #expect(generated.code("Requests/Items.swift").contains("sendStream().eventSource()"))
        let note = "note: the stream is read as text/event-stream, not as multipart/mixed"
        #expect(generated.messages.contains { $0.contains(note) }, "\(generated.messages)")
        let stub = generated.stubs.values.first { $0.contains("data: text") }
        #expect(stub?.contains(#""type": "text/event-stream""#) == true)
    }

    @Test func `of two responses with different streams the first one is read, with a warning`() {
        let generated = response(
            "'203': {description: x, content: {application/jsonl: {}}}, '200': {description: x, content: {text/event-stream: {}}}"
        )
        let code = generated.code("Requests/Items.swift")
        #expect(code.contains("sendStream().eventSource()"))
        #expect(code.contains(#"headers["Accept"] = "text/event-stream""#))
        let warning = "warning: only the stream text/event-stream of another response is read, not application/jsonl"
        #expect(generated.messages.contains { $0.contains(warning) }, "\(generated.messages)")
    }

    @Test func `a part has the type of its JSON and the first media type in its stub`() {
        let object = "{type: object, properties: {n: {type: integer}}}"
        let schema = "{type: object, properties: {o: \(object), f: {type: string}}}"
        let encoding = "{o: {contentType: Application/JSON; charset=utf-8}, f: {contentType: 'image/png, image/jpeg'}}"
        let generated = response(
            "'200': {description: x, content: {multipart/mixed: {schema: \(schema), encoding: \(encoding)}}}")
        let code = generated.code("Requests/Items.swift")
        #expect(code.contains("- `o`: `O` as `Application/JSON; charset=utf-8`"), "\(code)")
        let stub = generated.stubs.values.first { $0.contains("boundary=part") }
        #expect(stub?.contains(#"Content-Type: image/png\u000d\n"#) == true, "\(stub ?? "")")
        #expect(stub?.contains(#"{\"n\": 1}"#) == true)
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
