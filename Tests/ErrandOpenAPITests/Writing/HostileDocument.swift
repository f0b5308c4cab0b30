import Foundation

@testable import ErrandOpenAPI

/// A document with a text in every place that can hold one, and the texts that could leave their places.
struct HostileDocument {
    /// The characters before the code in a text: line separators, ends of comments and literals, invisible characters.
    static let marks: [(name: String, mark: String)] = [
        ("LF", "\n"), ("CR", "\r"), ("CRLF", "\r\n"), ("U+2028", "\u{2028}"), ("U+2029", "\u{2029}"),
        ("U+0085", "\u{85}"), ("FF", "\u{C}"), ("VT", "\u{B}"), ("NUL", "\u{0}"), ("*/", "*/"), ("\"", "\""),
        ("\\\"", "\\\""), ("\\(", "\\(print(\"PWNED\"))"), ("`", "`"), ("\"\"\"", "\"\"\"\n"), ("\"#", "\"#"),
        ("#\"\"\"#", "#\"\"\"#\n"), ("\"# and a combining mark", "\"#\u{301}"), ("\"# and U+FE0F", "\"#\u{FE0F}"),
        ("\\#(", "\\#(print(\"PWNED\"))"), ("U+202E", "\u{202E}"), ("U+2066", "\u{2066}"), ("U+200B", "\u{200B}"),
        ("U+E0041", " \u{E0041}"), ("DEL", "\u{7F}"), ("combining mark", "\u{301}"), ("///", "///"), ("/*", "/*"),
        ("{a}", "{a}\n"), ("U+FEFF", "\u{FEFF}"), ("LF and a brace", "\n}\n"), ("two LF", "\n\n"), ("<br>", "<br>"),
    ]

    /// A text with a mark before a declaration, a statement and a comment.
    static func text(_ mark: String) -> String { "\(mark)let pwned: Void = print(\"PWNED\")\(mark)//" }

    /// The text that must lead to the same declarations as a text with a mark. It keeps what a path is divided by.
    static func harmless(_ mark: String = " ") -> String {
        text(mark.contains("{a}") ? " {a} " : mark.contains("#") ? " # " : " ")
    }

    /// The number of places.
    static var places: Int { template.count - 1 }

    /// Returns the document with a text in one place, or in all, and `z` in the others.
    ///
    /// A name that is changed in one place only does not match its declaration. This is the same for the harmless text,
    /// so both documents lose the same reference.
    static func document(_ text: String, in place: Int? = nil) -> String {
        var document = template[0]
        for (index, part) in template.dropFirst().enumerated() {
            let text = place ?? index == index ? text : "z"
            // A reference has the text percent-encoded.
            if part.hasPrefix("%") {
                document += text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                document += part.dropFirst()
            } else {
                document += text.jsonLiteral.dropFirst().dropLast() + part
            }
        }
        return document
    }

    /// The document around the places, which are marked by `§`; `§%` is a place in a reference.
    private static let template = source.split(separator: "§", omittingEmptySubsequences: false).map(String.init)

    private static let source = """
        {"openapi": "3.2.0", "$self": "§", "jsonSchemaDialect": "§",
        "info": {"title": "§", "version": "§", "description": "§", "summary": "§", "termsOfService": "§",
          "contact": {"name": "§", "url": "§", "email": "§"}, "license": {"name": "§", "url": "§"}},
        "externalDocs": {"url": "§", "description": "§"}, "tags": [{"name": "§", "description": "§"}],
        "servers": [
          {"url": "https://h.example/§/{v}/{w}", "name": "§", "description": "§",
            "variables": {"v": {"default": "§", "enum": ["§", "b"], "description": "§"}, "w": {"default": "b"}}},
          {"url": "https://{h§}.example/{§}", "variables": {"h§": {"default": "§"}}}, {"url": "/§"}],
        "security": [{"k§": []}, {"o": ["§"]}],
        "paths": {
          "/a/§/{p§}/{q}": {
            "summary": "§", "description": "§", "servers": [{"url": "https://i.example/§"}],
            "parameters": [{"name": "p§", "in": "path", "required": true, "schema": {"type": "string"}, "description": "§"}],
            "get": {
              "operationId": "a§", "tags": ["t§"], "summary": "§", "description": "§", "security": [{"b": []}, {"k§": []}],
              "externalDocs": {"url": "§", "description": "§"},
              "parameters": [
                {"name": "q§", "in": "query", "description": "§", "example": "§", "schema": {"type": "integer",
                  "minimum": "§", "maximum": "§", "exclusiveMinimum": "§", "exclusiveMaximum": "§", "multipleOf": "§"}},
                {"name": "l", "in": "query", "schema": {"type": "array", "items": {"type": "string"}, "minItems": "§", "maxItems": "§"}},
                {"name": "s", "in": "query", "schema": {"type": "string", "minLength": "§", "maxLength": "§", "pattern": "§"}},
                {"name": "d", "in": "query", "schema": {"type": "string", "default": "§", "format": "§", "title": "§"}},
                {"name": "o", "in": "query", "schema": {"default": {"m§": ["§"]}}},
                {"name": "c", "in": "query", "required": true, "schema": {"const": "§"}},
                {"name": "e", "in": "query", "schema": {"enum": ["§", "b"], "x-enum-varnames": ["n§", "m"], "x-enum-descriptions": ["§", "b"]}},
                {"name": "n", "in": "query", "style": "deepObject", "schema": {"type": "object", "properties": {"f§": {"type": "string"}}}},
                {"name": "X-§", "in": "header", "schema": {"type": "string"}},
                {"name": "cookie§", "in": "cookie", "schema": {"type": "string"}},
                {"name": "j§", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}},
                {"name": "page", "in": "query", "schema": {"type": "integer"}}],
              "responses": {
                "200": {"description": "§", "headers": {"H-§": {"schema": {"type": "string"}, "description": "§"}},
                  "links": {"l§": {"operationId": "§", "description": "§"}},
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/S"},
                    "example": {"name": "§", "n§": ["§"]}, "examples": {"x§": {"summary": "§", "value": {"name": "§"}}}}}},
                "404": {"description": "§", "content": {"application/problem+§": {"schema": {"$ref": "#/components/schemas/E"}}}}},
              "callbacks": {"c§": {"{$request.body#/§}": {"post": {"requestBody": {"content": {"application/json": {
                "schema": {"type": "object", "properties": {"g§": {"type": "string"}}}}}}, "responses": {"200": {"description": "§"}}}}}}},
            "additionalOperations": {"M§": {"responses": {"200": {"description": "§", "content": {"text/§": {}}}}}}},
          "/b?x§=§&y=1#§": {
            "post": {"requestBody": {"description": "§", "content": {"multipart/form-data": {
                "schema": {"type": "object", "properties": {"i§": {"type": "string", "contentMediaType": "§"}, "k": {"type": "object"}}},
                "encoding": {"i§": {"contentType": "image/§",
                  "headers": {"h§": {"description": "§", "schema": {"type": "string", "enum": ["§"]}}}}, "k": {"contentType": "a/b, §"}}}}},
              "responses": {"200": {"description": "§", "content": {"text/event-stream": {"itemSchema": {
                "type": "object", "properties": {"s§": {"type": "string", "description": "§"}}}}}}}},
            "put": {"requestBody": {"content": {"application/x-www-form-urlencoded": {
                "schema": {"type": "object", "properties": {"f§": {"type": "array", "items": {"type": "string"}}, "o§": {"type": "object"}}},
                "encoding": {"f§": {"style": "pipeDelimited", "explode": false}}}}},
              "responses": {"default": {"description": "§"}}},
            "patch": {"requestBody": {"content": {"application/§+json": {"schema": {"$ref": "#/components/schemas/N§%"}}}},
              "responses": {"201": {"description": "§", "content": {"application/json": {"schema": {"type": "string"}}}},
                "202": {"description": "", "content": {"application/json": {"schema": {"type": "integer"}}}}}},
            "delete": {"responses": {"200": {"description": "", "content": {"multipart/§": {
                "schema": {"type": "object", "properties": {"p§": {"type": "string"}, "q§": {"$ref": "#/components/schemas/S"}}},
                "encoding": {"p§": {"contentType": "a/§"}}}}}, "206": {"description": "", "content": {"image/§": {}}}, "x-§": "§"}}},
          "/list": {"get": {
            "operationId": "list", "x-speakeasy-pagination": {"type": "cursor",
              "inputs": [{"name": "from§", "in": "parameters", "type": "cursor"}],
              "outputs": {"results": "$.rows", "nextCursor": "$.next§"}},
            "parameters": [{"name": "from§", "in": "query", "schema": {"type": "string"}}],
            "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Page"}}}}}}}},
        "webhooks": {"w§": {"post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/U"}}}},
          "responses": {"200": {"description": "§"}}}}},
        "components": {
          "securitySchemes": {
            "k§": {"type": "apiKey", "in": "header", "name": "§", "description": "§"},
            "q": {"type": "apiKey", "in": "query", "name": "§"}, "r": {"type": "apiKey", "in": "cookie", "name": "§"},
            "b": {"type": "http", "scheme": "bearer", "bearerFormat": "§", "description": "§"},
            "h": {"type": "http", "scheme": "§"}, "m": {"type": "mutualTLS", "description": "§"},
            "i": {"type": "openIdConnect", "openIdConnectUrl": "§"},
            "o": {"type": "oauth2", "description": "§", "flows": {
              "implicit": {"authorizationUrl": "§", "refreshUrl": "§", "scopes": {"s§": "§"}},
              "clientCredentials": {"tokenUrl": "§", "scopes": {"t": "§"}}, "f§": {"tokenUrl": "§", "scopes": {}}}}},
          "schemas": {
            "S": {"type": "object", "title": "§ title", "description": "§", "required": ["name"], "properties": {
              "name": {"type": "string", "description": "§", "default": "§", "pattern": "§", "example": "§"},
              "r§": {"type": "string", "title": "§ title"}, "k": {"const": "§"}, "n": {"type": "integer", "minimum": "§", "default": "§"},
              "i": {"type": "integer", "enum": ["§", 1, 2]}, "x": {"enum": ["§", 1, {"m§": "§"}]},
              "o": {"type": "object", "properties": {"inner§": {"enum": ["v§", "b"], "description": "§"}}}},
              "additionalProperties": {"type": "array", "items": {"type": "string"}}},
            "N§": {"type": "object", "properties": {"p§": {"$ref": "#/components/schemas/U"}}},
            "E": {"type": "object", "properties": {"detail§": {"type": "string"}}},
            "C": {"type": "string", "enum": ["c§", "d"]}, "A": {"type": "array", "description": "§", "items": {"title": "§", "type": "object", "properties": {"a§": {}}}},
            "B1": {"type": "object", "required": ["t§"], "properties": {"t§": {"const": "one§"}}},
            "B2": {"type": "object", "required": ["t§"], "properties": {"t§": {"const": "two"}, "m§": {"type": "string"}}},
            "U": {"oneOf": [{"$ref": "#/components/schemas/B1"}, {"$ref": "#/components/schemas/B2"}], "description": "§",
              "discriminator": {"propertyName": "t§", "mapping": {"v§": "#/components/schemas/B1"}}},
            "V": {"anyOf": [{"title": "one§", "type": "object", "properties": {"a§": {}}},
              {"title": "two", "type": "object", "required": ["b§"], "properties": {"b§": {}, "c": {"type": "string"}}}, {"type": "string", "enum": ["x§", "y"]}]},
            "W": {"oneOf": [{"const": "k§", "title": "t§", "description": "§"}, {"const": "l"}]},
            "G": {"oneOf": [{"type": "object", "properties": {"a§": {"type": "string"}, "b": {}}}, {"type": "object", "properties": {"a§": {"type": "string"}, "c": {}}}]},
            "Page": {"type": "object", "required": ["rows"], "properties": {"rows": {"type": "array", "items": {"type": "string"}}, "next§": {"type": "string"}}},
            "Y": {"$anchor": "y§", "type": "object", "patternProperties": {"§": {"type": "string"}}, "$comment": "§"},
            "Z": {"$ref": "#/components/schemas/none§%"}}}}
        """
}
