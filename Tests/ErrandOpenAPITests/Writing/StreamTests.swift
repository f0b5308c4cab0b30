import Foundation
import Testing

@testable import ErrandOpenAPI

@Suite struct StreamTests {
    private func document(_ body: String) -> Generated {
        Generated(
            """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths:
              /chat:
                post:
                  operationId: chat
                  requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Chat'}}}}
                  responses:
                    '200':
                      description: x
                      content:
                        application/json: {schema: {type: string}}
                        text/event-stream: {schema: {type: integer}}
            webhooks:
              chat.ended: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Chat'}}}}, responses: {}}}
            components: {schemas: {Chat: {type: object, properties: {\(body)}}}}
            """)
    }

    @Test func `each start sets the flag that asks for a stream`() {
        let code = document("stream: {type: [boolean, 'null']}").code("Requests/Chat+Request.swift")
        #expect(code.contains("final class Chat: TestAPI, Request, StreamingRequest {"))
        #expect(
            code.contains(
                """
                        public func start() -> Pipeline<String, any Error> {
                            headers["Accept"] = "application/json"
                            content.stream = false
                            body = .json(content)
                            return sendRequest().decode(String.self)
                        }
                """))
        #expect(code.contains("content.stream = true"))
    }

    private static let flagged = "{type: object, properties: {stream: {type: boolean}}}"

    @Test(arguments: [
        ("required: true, content: {multipart/form-data: {schema: \(flagged)}}", true),
        ("content: {application/json: {schema: \(flagged)}}", true),
        ("required: true, content: {application/json: {schema: {oneOf: [\(flagged), {type: string}]}}}", true),
        ("required: true, content: {application/json: {schema: \(flagged)}}", false),
        ("required: true, content: {application/json: {schema: {type: object}}}", false),
        ("required: true, content: {multipart/form-data: {schema: {properties: {a: {}}}}}", false),
    ])
    func `a flag that is not set is a note`(_ body: String, _ isNote: Bool) {
        let content = "application/json: {schema: {type: string}}, text/event-stream: {schema: {type: integer}}"
        let generated = Generated(operation: "requestBody: {\(body)}\nresponses: {'200': {content: {\(content)}}}")
        let text = "note: `startStream` does not set \"stream\", which the caller has to set [body]"
        #expect(generated.messages.contains { $0.contains(text) } == isNote, "\(generated.messages)")
    }

    @Test func `without a flag, the response is read in both ways`() {
        let code = document("prompt: {type: string}").code("Requests/Chat+Request.swift")
        #expect(
            code.contains(
                """
                            headers["Accept"] = "application/json"
                            return sendRequest().decode(String.self)
                """))
        #expect(
            code.contains(
                """
                            headers["Accept"] = "text/event-stream"
                            return sendStream().eventValues(of: Int.self)
                """))
    }

    @Test(arguments: [
        (["application/json", "application/x-ndjson"], "application/x-ndjson"),
        (["text/plain", "application/jsonl", "text/event-stream"], "text/event-stream"),
    ])
    func `each start accepts the media type that it reads`(_ types: [String], _ stream: String) {
        let content = types.map { "\($0): {schema: {type: integer}}" }.joined(separator: ", ")
        let code = Generated(operation: "responses: {'200': {description: x, content: {\(content)}}}")
            .code("Requests/Items.swift")
        let functions = code.components(separatedBy: "public func start")
        #expect(functions.count == 3)
        #expect(functions[1].contains("headers[\"Accept\"] = \"\(types[0])\""))
        #expect(functions[2].contains("headers[\"Accept\"] = \"\(stream)\""))
    }

    @Test(arguments: [
        ("schema: {type: integer}", "Int"), ("schema: {type: object, properties: {data: {}, more: {}}}", "Event"),
        // A text is the data itself, not JSON.
        ("schema: {type: string}", nil), ("schema: {enum: [a, b]}", nil), ("schema: {}", nil), ("example: x", nil),
        // An array is the sequence of the events.
        ("schema: {type: array, items: {type: integer}}", "Int"), ("schema: {type: array, items: {enum: [a]}}", nil),
        ("schema: {type: array, items: {properties: {event: {}, data: {type: boolean}}}}", "Bool"),
        ("schema: {type: array, items: {oneOf: [{properties: {data: {type: null}}}, {properties: {data: {}}}]}}", nil),
        // The fields of an event (OpenAPI 3.2).
        ("itemSchema: {properties: {event: {type: string}, data: {type: string}}}", nil),
        ("itemSchema: {properties: {id: {}, data: {type: object, properties: {a: {}}}}}", "Event"),
        (
            "itemSchema: {properties: {retry: {}, data: {contentMediaType: a/json, contentSchema: {type: integer}}}}",
            "Int"
        ),
        (
            "itemSchema: {oneOf: [{properties: {event: {const: a}, data: {type: integer}}}, {properties: {data: {}}}]}",
            nil
        ),
    ])
    func `the data of an event is decoded if the document says that it is JSON`(_ schema: String, _ type: String?) {
        let code = Generated(
            operation: "responses: {'200': {description: x, content: {text/event-stream: {\(schema)}}}}"
        ).code("Requests/Items.swift")
        #expect(code.contains("AsyncSequence<\(type ?? "ServerSentEvent"), any Error>"))
        let values = type.map { ".values(of: \($0).self, until: \"[DONE]\")" } ?? ""
        #expect(
            code.contains("sendStream().eventSource()\(values) }")
                || code.contains("sendStream().eventSource()\(values)\n"))
    }

    @Test(arguments: [
        ("schema: {type: array, items: {type: integer}}", "Int"), ("itemSchema: {type: integer}", "Int"),
        ("schema: {$ref: '#/components/schemas/List'}", "String"), ("schema: {type: integer}", "Int"),
    ])
    func `each line of JSON is an element of an array`(_ schema: String, _ type: String) {
        for media in ["application/jsonl", "application/x-ndjson", "application/json-seq"] {
            let generated = Generated(
                operation: "responses: {'200': {description: x, content: {\(media): {\(schema)}}}}",
                components: "schemas: {List: {type: array, items: {type: string}}}")
            let framing = media == "application/json-seq" ? ", framing: .textSequence" : ""
            let code = generated.code("Requests/Items.swift")
            #expect(code.contains("sendStream().values(of: \(type).self\(framing))"), "\(code)")
            let mark = media == "application/json-seq" ? "\\u001e" : ""
            let text = type == "Int" ? "\(mark)1" : "text"
            #expect(generated.stubs.values.contains { $0.contains(text) && !$0.contains("[1]") }, "\(generated.stubs)")
        }
    }

    @Test(arguments: [
        ("schema: {type: array, items: {type: integer}}", "[Int]", ".jsonTexts(body, type: "),
        ("schema: {type: array, items: {type: [integer, 'null']}}", "[Int?]", ".jsonTexts(body, type: "),
        ("itemSchema: {type: integer}", "[Int]", ".jsonTexts(body, type: "),
        ("schema: {type: object, properties: {a: {}}}", "Body", ".encoded(body, type: "),
    ])
    func `each element of a body is a line of JSON`(_ schema: String, _ type: String, _ call: String) {
        for media in ["application/jsonl", "application/x-ndjson", "application/json-seq"] {
            let body = "requestBody: {required: true, content: {\(media): {\(schema)}}}"
            let code = Generated(operation: "\(body)\nresponses: {'204': {}}").code("Requests/Items.swift")
            #expect(code.contains("init(body: \(type)) {"), "\(code)")
            #expect(code.contains("RequestBody\(call)\"\(media)\").withAnyMethod()"), "\(code)")
        }
    }

    @Test func `a webhook with several methods is decoded as the first body that it fits`() {
        let methods = ["post: integer", "put: string", "patch: integer"].map { method in
            let parts = method.split(separator: ":")
            return
                "\(parts[0]): {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/\(parts[1].dropFirst())'}}}}}"
        }
        let generated = Generated(
            """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            webhooks: {gone: {\(methods.joined(separator: ", "))}}
            components: {schemas: {integer: {properties: {a: {type: integer}}}, string: {properties: {a: {type: string}}}}}
            """)
        let code = generated.code("Webhooks.swift")
        // Two methods have the same body, which is one case.
        #expect(code.contains("case gone(IntegerModel)") == false && code.contains("case gone(Integer)"))
        #expect(code.contains("case gone2(StringModel)") && !code.contains("gone3"))
        #expect(code.components(separatedBy: "case \"gone\":").count == 2)
        #expect(
            code.contains(
                """
                                if let value = try? decoder.decode(Integer.self, from: body) {
                                    self = .gone(value)
                                    return
                                }
                                self = .gone2(try decoder.decode(StringModel.self, from: body))
                """))
    }

    @Test(arguments: [
        ("application/x-www-form-urlencoded", true), ("text/plain", true), ("application/vnd.a+json", false),
    ])
    func `a body of a webhook or a callback that is not JSON is a warning`(_ type: String, _ isWarning: Bool) {
        let event = "{post: {requestBody: {content: {\(type): {schema: {properties: {a: {}}}}}}}}"
        let generated = Generated(
            """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths: {/a: {post: {operationId: a, callbacks: {done: {'{$url}': \(event)}}, responses: {'204': {}}}}}
            webhooks: {sms: \(event)}
            """)
        for (name, line) in [("done", 3), ("sms", 4)] {
            let text = "warning: the body of \"\(name)\" is not JSON, and is not decoded: \(type) [unsupported]"
            let found = generated.messages.contains { $0.hasPrefix("api.yaml:\(line):") && $0.contains(text) }
            #expect(found == isWarning, "\(generated.messages)")
        }
    }

    @Test func `a webhook is decoded by its name`() {
        let code = document("prompt: {type: string}").code("Webhooks.swift")
        #expect(code.contains("case chatEnded(API.Chat)"))
        #expect(code.contains("case \"chat.ended\":\n"))
    }
}
