import Testing

@testable import ErrandJSON

struct `Names in snake case` {
    private func isCamelCase(_ name: String, of key: String) -> Bool {
        var (name, key) = (name, key)
        return name.withUTF8 { name in key.withUTF8 { SnakeCase.isCamelCase(name, of: $0) } }
    }

    /// Comparing keys must have the result of converting them, for any characters.
    @Test func `comparing snake case keys has the same result as converting them`() {
        let parts = ["a", "B", "c", "_", "__", "1", "2x", "é", "É", "-", "URL", ""]
        var state: UInt64 = 1
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var keys: [String] = []
        for _ in 0..<20_000 { keys.append((0..<random(7)).map { _ in parts[random(parts.count)] }.joined()) }
        for (key, other) in zip(keys, keys.dropFirst()) {
            let name = SnakeCase.camelCase(of: key)
            #expect(isCamelCase(name, of: key), "\(key)")
            let otherName = SnakeCase.camelCase(of: other)
            // Characters that look the same can have other bytes.
            #expect(isCamelCase(otherName, of: key) == name.utf8.elementsEqual(otherName.utf8), "\(key), \(other)")
            #expect(!isCamelCase(name + "x", of: key), "\(key)")
        }
    }

    @Test(
        arguments: [
            ("first_name", "firstName"), ("_first_name__", "_firstName__"), ("address_line_1", "addressLine1"),
            ("firstName", "firstName"), ("FIRST_NAME", "firstName"), ("___", "___"), ("", ""),
            ("sha256_sum", "sha256Sum"),
        ])
    func `snake case keys are converted to camel case`(_ key: String, _ name: String) {
        #expect(SnakeCase.camelCase(of: key) == name)
        #expect(isCamelCase(name, of: key))
    }

    @Test func `snake case keys are found in any order, and missing keys are not found`() throws {
        struct User: Decodable, Equatable {
            var firstName: String
            var lastName: String?
            var age: Int
            var homePage: String?
        }
        var decoder = FastJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let others = (0..<40).map { "\"other_\($0)\":null," }.joined()
        for document in [#"{"age":41,"first_name":"Ada"}"#, "{\(others)\"age\":41,\"first_name\":\"Ada\"}"] {
            let user = try decoder.decode(User.self, from: document)
            #expect(user == User(firstName: "Ada", age: 41))
        }
    }
}
