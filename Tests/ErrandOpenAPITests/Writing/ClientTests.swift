import Testing

@testable import ErrandOpenAPI

/// What the requests of a client share: servers, security, and the choice of operations.
@Suite struct ClientTests {
    @Test func `security is not written without a scheme`() {
        let responses = "security: [{key: []}]\nresponses: {'204': {description: x}}"
        let generated = Generated(operation: responses)
        #expect(!generated.code("Requests/Items.swift").contains("security"))
        #expect(generated.messages.count == 1)
    }

    @Test func `security is that of the class unless the operation has its own`() {
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            security: [{key: []}]
            paths:
              /a: {get: {operationId: a, responses: {}}}
              /b: {get: {operationId: b, security: [], responses: {}}}
              /c: {get: {operationId: c, security: [{token: [], key: []}, {}], responses: {}}}
            components:
              securitySchemes:
                key: {type: apiKey, in: header, name: X-Key}
                token: {type: http, scheme: bearer}
            """
        let generated = Generated(text)
        #expect(generated.code("TestAPI.swift").contains(#"security = [["key"]]"#))
        #expect(!generated.code("Requests/A.swift").contains("security"))
        #expect(generated.code("Requests/B.swift").contains("security = []"))
        #expect(generated.code("Requests/C.swift").contains(#"security = [["key", "token"], []]"#))
        #expect(
            generated.code("TestAPI.swift").contains(
                "_ server: BaseURL, key: String? = nil, token: (any Interceptor)? = nil"))
    }

    @Test func `servers are values, and those with variables are functions`() {
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            servers:
              - {url: 'https://example.com'}
              - {url: 'https://{region}.example.com', description: Regional, variables: {region: {default: eu, enum: [eu, us]}}}
              - {url: 'https://{zone}.example.com/{id}', variables: {zone: {enum: [a, b]}}}
            paths:
              /a: {get: {operationId: a, servers: [{url: 'https://files.example.com'}], responses: {}}}
            """
        let generated = Generated(text)
        #expect(generated.code("TestAPI.swift").contains(#"static let production = Server("https://example.com")"#))
        #expect(generated.code("TestAPI.swift").contains("static func regional(region: Region = .eu) -> Server {"))
        #expect(generated.code("TestAPI.swift").contains(#"Server(BaseURL("https://\(region.rawValue).example.com"))"#))
        #expect(generated.code("TestAPI.swift").contains("func server3(zone: Zone, id: String) -> Server {"))
        #expect(generated.code("TestAPI.swift").contains("struct Region: OpenEnum, ExpressibleByStringLiteral {"))
        #expect(generated.code("Requests/A.swift").contains(#"baseURL = URL(string: "https://files.example.com")"#))
    }

    @Test(arguments: [
        ("{url: 'https://'}", "the server is not complete with the defaults of its variables"),
        (
            "{url: 'https://{host}', variables: {host: {default: '{your-host}'}}}",
            "the server is not complete with the defaults of its variables"
        ),
        (
            "{url: '{base}/v1', variables: {base: {default: /api}}}",
            "the server is not complete with the defaults of its variables"
        ),
        ("{url: /v1}", "the server is relative"),
        ("{url: 'https://example.com/{id}'}", "the server is not complete with the defaults of its variables"),
        (
            "{url: 'https://example.com/{id}', variables: {id: {description: x}}}",
            "the server is not complete with the defaults of its variables"
        ),
    ])
    func `a server whose URL is not complete does not count`(_ server: String, _ fault: String) throws {
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            servers: [\(server)]
            paths:
              /a: {get: {operationId: a, responses: {}}}
            """
        let ofDocument = Generated(text)
        #expect(!ofDocument.code("TestAPI.swift").contains("baseURL = Server."))
        #expect(ofDocument.code("TestAPI.swift").contains("test(_ server: TestAPI.Server) -> APIService {"))

        let ofOperation = Generated(operation: "servers: [\(server)]\nresponses: {'204': {description: x}}")
        #expect(!ofOperation.code("Requests/Items.swift").contains("baseURL"))
        #expect(try #require(ofOperation.messages.last).contains("\(fault); that of the document is used"))
    }

    /// A request with the name of the module would hide it, and with it the types that are qualified by its name.
    @Test func `an operation does not have the name of the module`() {
        var options = ClientModel.Options()
        options.module = "Bulletin"
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths: {/a: {get: {operationId: bulletin}}}
            """
        #expect(Generated(text, options: options).code("Requests/Bulletin2.swift").contains("class Bulletin2: TestAPI"))
    }

    @Test func `a service says the path of a server without a host`() {
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            servers: [{url: /api/v2}]
            paths: {}
            """
        let generated = Generated(text)
        let message = "the server is relative; give the service a base URL that ends with /api/v2"
        #expect(generated.messages.count { $0.contains("note: \(message) [server]") } == 1)
        #expect(generated.code("TestAPI.swift").contains("Its base URL ends with `/api/v2`."))
        let others = Generated(text.replacing("}]", with: "}, {url: 'https://example.com', description: Main}]"))
        #expect(others.code("TestAPI.swift").contains("A server of the API. It is required"))
    }

    @Test(arguments: [
        (DocumentFilter(tags: ["Event"]), "no operation has the tag \"Event\"; did you mean Events?"),
        (DocumentFilter(tags: ["Events"], paths: ["/bb"]), "no path begins with \"/bb\"; did you mean /b?"),
        (DocumentFilter(ids: ["c"]), "no operation has the identifier \"c\"; did you mean a?"),
    ])
    func `a part of the filter that fits no operation is an error`(_ filter: DocumentFilter, _ message: String) {
        var options = ClientModel.Options()
        options.filter = filter
        #expect(Generated(Self.tagged, options: options).messages.first == "error: \(message) [configuration]")
    }

    @Test func `a file of a package's client does not import what only another name of a type needs`() {
        var options = ClientModel.Options()
        options.access = "package"
        let schemas = """
            When: {type: string, format: date-time}
            A: {properties: {a: {$ref: '#/components/schemas/When'}}}
            """
        let files = Generated(schemas: schemas, options: options).files
        #expect(files["Models/When.swift"]?.contains("\npackage import ErrandOpenAPIRuntime\n") == true)
        #expect(files["Models/A.swift"]?.contains("import") == false)
    }

    @Test func `an operation is generated for each of its tags`() {
        var options = ClientModel.Options()
        options.filter = DocumentFilter(tags: ["Tickets"])
        #expect(Generated(Self.tagged, options: options).files.keys.contains("Requests/Events/A.swift"))
    }

    private static let tagged = """
        openapi: 3.1.0
        info: {title: Test, version: '1'}
        paths: {/a: {get: {operationId: a, tags: [Events, Tickets]}}, /b: {get: {operationId: b}}}
        """

    @Test func `the header fields of a response are typed, unless all are text`() {
        let text = """
            responses:
              '200':
                description: x
                headers:
                  X-Left: {description: The calls that are left., schema: {type: integer}}
                  X-Kind: {schema: {type: string, enum: [a, b]}}
                  Fields: {schema: {type: array, items: {type: string}}}
                  x-left: {schema: {type: string}}
                  Content-Type: {schema: {type: integer}}
              '429': {description: x, headers: {Retry-After: {schema: {type: integer}}}}
            """
        let members = Generated(operation: text).members("Requests/Items.swift")
        #expect(
            members.filter { $0.contains("fields.value") } == [
                #"var xLeft: Int? { fields.value(of: "X-Left") }"#,
                #"var xKind: XKind? { fields.value(of: "X-Kind") }"#,
                #"var fields2: String? { fields.value(of: "Fields") }"#,
            ])
        let onlyText = "responses: {'200': {description: x, headers: {Link: {schema: {type: string}}}}}"
        #expect(!Generated(operation: onlyText).code("Requests/Items.swift").contains("ResponseFields"))
    }

    @Test func `the values of a variable have names besides those of servers and of enumerations`() {
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            servers:
              - url: 'https://{zone}.example.com/{1}'
                description: '1'
                variables:
                  zone: {enum: [allCases, rawValue, none, '', Zone], default: allCases}
                  '1': {enum: [a]}
            paths: {}
            """
        let code = Generated(text).code("TestAPI.swift")
        #expect(code.contains("func _1(zone: Zone = .allCases2, _1: _1_2) -> Server {"))
        #expect(code.contains(#"static let allCases2 = Zone(rawValue: "allCases")"#))
        #expect(code.contains("struct _1_2: OpenEnum, ExpressibleByStringLiteral {"))
    }

    @Test(arguments: [
        ("Secured", "SecuredClientAPI"), ("The Secured API", "SecuredClientAPI"), ("Service API", "ServiceAPI"),
        ("Errand", "ErrandAPI"), ("API Base", "BaseAPI"), ("Request", "RequestAPI"),
        ("Pet's Store API", "PetsStoreAPI"),
    ])
    func `the class has the name of the API, unless a class of Errand has it`(_ title: String, _ name: String) {
        let generated = Generated("openapi: 3.1.0\ninfo: {title: \(title), version: '1'}\npaths: {}")
        #expect(generated.files.keys.sorted() == ["\(name).swift"])
    }
}
