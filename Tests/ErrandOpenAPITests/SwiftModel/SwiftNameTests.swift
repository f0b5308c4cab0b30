import Testing

@testable import ErrandOpenAPI

@Suite struct SwiftNameTests {
    @Test(arguments: [
        ("id", "id"), ("user_id", "userID"), ("userIds", "userIDs"), ("html_url", "htmlURL"), ("URL", "url"),
        ("api-key", "apiKey"), ("ENABLED", "enabled"), ("SMS_SENT", "smsSent"), ("DNSRecord", "dnsRecord"),
        ("+1", "plus1"), ("-1", "minus1"), ("-name", "minusName"), ("*", "all"), ("", "empty"), ("2fa", "_2fa"),
        ("class", "`class`"), ("default", "`default`"), ("self", "self_"), ("init", "init_"), ("Type", "type"),
        ("größe", "größe"), ("io.k8s.v1", "ioK8sV1"), ("$ref", "ref"), ("@type", "type"), ("a b", "aB"),
        ("hashValue", "hashValue_"), ("iPhone", "iPhone"), (">=", "greaterEqual"),
    ])
    func `a member is named as Swift does`(_ text: String, _ name: String) {
        #expect(SwiftName.member(text) == name)
    }

    @Test(arguments: [
        ("pet", "Pet"), ("pet-status", "PetStatus"), ("io.k8s.api.core.v1.Pod", "IoK8sAPICoreV1Pod"), ("self", "Self_"),
        ("Type", "Type_"), ("api_key", "APIKey"), ("42", "_42"), ("any", "`Any`"), ("PETS", "Pets"),
        ("UserIDs", "UserIDs"), ("Pet's Store", "PetsStore"), ("don’t", "Dont"), ("می\u{200C}خواهم", "میخواهم"),
    ])
    func `a type is named as Swift does`(_ text: String, _ name: String) {
        #expect(SwiftName.type(text) == name)
    }

    @Test(arguments: [
        ("books", "book"), ("categories", "category"), ("addresses", "address"), ("boxes", "box"),
        ("status", "statusItem"),
        ("data", "dataItem"), ("children", "childrenItem"), ("items", "item"), ("menuItem", "menuItem"),
    ])
    func `the element of an array is singular`(_ plural: String, _ singular: String) {
        #expect(SwiftName.singular(plural) == singular)
    }

    @Test func `a second name in a scope gets a number`() {
        var scope = NameScope()
        #expect(["a", "a", "`in`", "in", "a"].map { scope.unique($0) } == ["a", "a2", "`in`", "in2", "a3"])
    }
}
