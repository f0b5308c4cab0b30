import Testing

@testable import ErrandOpenAPI

@Suite struct KnownKeysTests {
    /// The fixed fields of the specifications 3.0.4, 3.1.1 and 3.2.0, and the keywords of JSON Schema 2020-12.
    private static let keys: [(part: KnownKeys.Part, keys: String)] = [
        (
            KnownKeys.Part.document,
            "openapi $self info jsonSchemaDialect servers paths webhooks components security tags externalDocs"
        ),
        (.info, "title summary description termsOfService contact license version"),
        (
            .components,
            "schemas responses parameters examples requestBodies headers securitySchemes links callbacks pathItems mediaTypes"
        ),
        (
            .pathItem,
            "$ref summary description get put post delete options head patch trace query additionalOperations servers parameters"
        ),
        (
            .operation,
            "tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers"
        ),
        (
            .parameter,
            "name in description required deprecated allowEmptyValue style explode allowReserved schema example examples content"
        ),
        (.header, "description required deprecated style explode schema example examples content"),
        (.requestBody, "description content required"),
        (.mediaType, "schema itemSchema example examples encoding prefixEncoding itemEncoding"),
        (.encoding, "contentType headers style explode allowReserved encoding prefixEncoding itemEncoding"),
        (.response, "summary description headers content links"),
        (.server, "url description name variables"),
        (.serverVariable, "enum default description"),
        (
            .securityScheme,
            "type description name in scheme bearerFormat flows openIdConnectUrl oauth2MetadataUrl deprecated"
        ),
        (.flows, "implicit password clientCredentials authorizationCode deviceAuthorization"),
        (.flow, "authorizationUrl deviceAuthorizationUrl tokenUrl refreshUrl scopes"),
        (.discriminator, "propertyName mapping defaultMapping"),
        (
            .schema,
            """
            $schema $id $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs allOf anyOf oneOf not
            if then else dependentSchemas prefixItems items contains properties patternProperties
            additionalProperties propertyNames unevaluatedItems unevaluatedProperties type enum const multipleOf
            maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems
            uniqueItems maxContains minContains maxProperties minProperties required dependentRequired title
            description default deprecated readOnly writeOnly examples format contentEncoding contentMediaType
            contentSchema nullable discriminator xml externalDocs example
            """
        ),
    ]

    @Test(arguments: keys)
    func `every key of the specifications is read, or known as one that changes no code`(
        _ part: KnownKeys.Part, _ keys: String
    ) {
        let unknown = keys.split { $0 == " " || $0.isNewline }.filter {
            KnownKeys.use(of: String($0), in: part) == .unknown
        }
        #expect(unknown == [])
    }
}
