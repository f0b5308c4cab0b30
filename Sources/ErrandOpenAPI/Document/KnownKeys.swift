/// The keys of OpenAPI 3.0, 3.1 and 3.2, and what the generator does with them.
enum KnownKeys {
    enum Use {
        /// It changes the code or its documentation.
        case read
        /// It describes, and has no place in the code.
        case annotation
        /// It would change the code, and does not yet.
        case unsupported
        /// It restricts values, which the generated code does not check.
        case restriction
        case unknown
    }

    /// A kind of object. The raw value is its name in messages.
    enum Part: String, CaseIterable {
        case document = "the document"
        case info = "the info"
        case components = "components"
        case pathItem = "a path"
        case operation = "an operation"
        case parameter = "a parameter"
        case header = "a header"
        case requestBody = "a request body"
        case mediaType = "a media type"
        case encoding = "an encoding"
        case response = "a response"
        case server = "a server"
        case serverVariable = "a server variable"
        case securityScheme = "a security scheme"
        case flows = "OAuth flows"
        case flow = "an OAuth flow"
        case discriminator = "a discriminator"
        case schema = "a schema"
    }

    static func use(of key: String, in part: Part) -> Use {
        uses[part]?[key] ?? .unknown
    }

    /// The keys of a kind of object, sorted.
    static func names(in part: Part) -> [String] { uses[part]?.keys.sorted() ?? [] }

    private static let uses: [Part: [String: Use]] = {
        var uses: [Part: [String: Use]] = [:]
        for part in Part.allCases {
            for key in annotations(part) { uses[part, default: [:]][key] = .annotation }
            for key in unsupported(part) { uses[part, default: [:]][key] = .unsupported }
            for key in read(part) { uses[part, default: [:]][key] = .read }
        }
        for key in restrictions { uses[.schema, default: [:]][key] = .restriction }
        return uses
    }()

    private static func read(_ part: Part) -> Set<String> {
        switch part {
        case .document:
            ["openapi", "swagger", "info", "servers", "paths", "webhooks", "components", "security", "tags"]
        case .info: ["title", "version", "description", "summary"]
        case .components: ["schemas", "securitySchemes"]
        case .pathItem:
            [
                "$ref", "parameters", "servers", "get", "put", "post", "delete", "options", "head", "patch", "trace",
                "query", "additionalOperations",
            ]
        case .operation:
            [
                "tags", "summary", "description", "operationId", "parameters", "requestBody", "responses",
                "callbacks", "deprecated", "security", "servers",
            ]
        case .parameter:
            [
                "$ref", "name", "in", "description", "required", "deprecated", "style", "explode", "schema",
                "content", "allowReserved",
            ]
        case .header: ["$ref", "description", "required", "deprecated", "style", "explode", "schema", "content"]
        case .requestBody: ["$ref", "description", "content", "required"]
        case .mediaType: ["$ref", "schema", "itemSchema", "example", "examples", "encoding"]
        case .encoding: ["contentType", "headers", "style", "explode", "allowReserved"]
        case .response: ["$ref", "description", "headers", "content", "links"]
        case .server: ["url", "description", "variables", "name"]
        case .serverVariable: ["enum", "default", "description"]
        case .securityScheme:
            ["$ref", "type", "description", "name", "in", "scheme", "flows", "openIdConnectUrl"]
        case .flows: ["implicit", "password", "clientCredentials", "authorizationCode", "deviceAuthorization"]
        case .flow: ["authorizationUrl", "tokenUrl", "refreshUrl", "scopes", "deviceAuthorizationUrl"]
        case .discriminator: ["propertyName", "mapping"]
        case .schema:
            [
                "$ref", "type", "format", "enum", "const", "nullable", "properties", "required",
                "additionalProperties", "patternProperties", "items", "prefixItems", "allOf", "oneOf", "anyOf",
                "discriminator", "title", "description", "default", "deprecated", "readOnly", "writeOnly",
                "contentEncoding", "contentMediaType", "example", "examples", "$anchor",
            ]
        }
    }

    private static func annotations(_ part: Part) -> Set<String> {
        switch part {
        case .document: ["externalDocs", "jsonSchemaDialect", "$self", "$schema"]
        case .info: ["termsOfService", "contact", "license"]
        // What is in them is read where it is referred to.
        case .components:
            [
                "responses", "parameters", "examples", "requestBodies", "headers", "links", "callbacks", "pathItems",
                "mediaTypes",
            ]
        case .pathItem: ["summary", "description"]
        case .operation: ["externalDocs"]
        case .parameter: ["example", "examples", "allowEmptyValue"]
        case .header: ["example", "examples", "allowEmptyValue"]
        case .requestBody: []
        case .mediaType: []
        case .encoding: []
        case .response: ["summary"]
        case .server, .serverVariable, .flows, .flow, .discriminator: []
        case .securityScheme: ["bearerFormat", "deprecated", "oauth2MetadataUrl"]
        case .schema:
            [
                "externalDocs", "xml", "$schema", "$id", "$comment", "$defs", "definitions", "$vocabulary",
                // Limits are part of the documentation.
                "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength",
                "pattern", "maxItems", "minItems", "uniqueItems", "maxProperties", "minProperties",
            ]
        }
    }

    private static func unsupported(_ part: Part) -> Set<String> {
        switch part {
        case .mediaType: ["prefixEncoding", "itemEncoding"]
        case .encoding: ["encoding", "prefixEncoding", "itemEncoding"]
        case .discriminator: ["defaultMapping"]
        default: []
        }
    }

    private static let restrictions: Set<String> = [
        "not", "if", "then", "else", "contains", "minContains", "maxContains", "propertyNames",
        "unevaluatedProperties", "unevaluatedItems", "dependentSchemas", "dependentRequired", "contentSchema",
        "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "additionalItems",
    ]
}
