import Testing

@testable import ErrandOpenAPI

/// Which branch gets a value for which several branches, or none, could be meant.
@Suite struct DecisionTests {
    private func decision(_ branches: [String]) -> (code: String, messages: [String]) {
        let titled = zip(["one", "two", "three"], branches).map { "{title: \($0), type: object, \($1)}" }
        let generated = Generated(schemas: "Union: {oneOf: [\(titled.joined(separator: ", "))]}")
        let lines = generated.code("Models/Union.swift").split(separator: "\n").map { String($0) }
        let body = lines.drop { !$0.contains("let content") }.dropFirst().prefix { $0 != "    }" }
        return (body.map { String($0.dropFirst(8)) }.joined(separator: "\n"), generated.messages)
    }

    @Test func `a value without the required members of any branch belongs to none`() {
        let (code, messages) = decision(["a", "b", "c"].map { "required: [\($0)], properties: {\($0): {}}" })
        #expect(
            code == """
                if content.has("a") {
                    self = .one(try content.decode())
                } else if content.has("b") {
                    self = .two(try content.decode())
                } else if content.has("c") {
                    self = .three(try content.decode())
                } else {
                    self = .other(try content.decode())
                }
                """)
        #expect(messages == [])
    }

    @Test func `a member that other branches know too is not asked for`() {
        let (code, _) = decision([
            "required: [id], properties: {id: {}}", "required: [id, a], properties: {id: {}, a: {}}",
        ])
        #expect(code.contains("    self = .two(try content.decode())\n} else {\n    self = .one("))
    }

    @Test(arguments: [
        ["properties: {a: {}}", "properties: {b: {}}"],
        ["properties: {a: {type: string}}", "properties: {a: {type: integer}}"],
        ["properties: {a: {}, b: {}}", "properties: {a: {}, b: {type: string, format: date}}"],
    ])
    func `a value that is not an object belongs to no branch of objects`(_ branches: [String]) {
        let (code, _) = decision(branches)
        let statements = "    self = .other(try content.decode())\n    return\n}\n"
        #expect(code.hasPrefix("guard content.kind == .object else {\n\(statements)"))
    }

    @Test func `a value without a tag belongs to the only branch that does not require it`() {
        let other = "required: [type, id], properties: {type: {enum: [item]}, id: {}}"
        let (code, messages) = decision([
            "required: [role], properties: {role: {type: string}, type: {enum: [message]}}", other,
        ])
        #expect(
            code == """
                switch content.text(of: "type") {
                case "message": self = .one(try content.decode())
                case "item": self = .two(try content.decode())
                default:
                    if content.has("type") {
                        self = .other(try content.decode())
                    } else if content.has("role") {
                        self = .one(try content.decode())
                    } else {
                        self = .other(try content.decode())
                    }
                }
                """)
        #expect(messages == [])
        let two = ["message", "call"].map { "required: [role], properties: {role: {}, type: {enum: [\($0)]}}" }
        #expect(decision(two + [other]).code.hasSuffix("default: self = .other(try content.decode())\n}"))
    }

    @Test(arguments: [
        ("{type: number, const: 1.50}", "{type: number, const: 2.5}", "1.5", "2.5"),
        ("{type: number, enum: [1e3, 0.5]}", "{type: number, const: 2.0}", #"1000", "0.5"#, "2"),
        ("{type: boolean, const: true}", "{allOf: [{type: boolean}, {const: false}]}", "true", "false"),
    ])
    func `constants are compared as clients read them`(
        _ first: String, _ second: String, _ one: String, _ two: String
    ) {
        let (code, messages) = decision([first, second].map { "required: [a], properties: {a: \($0)}" })
        #expect(
            code == """
                switch content.text(of: "a") {
                case "\(one)": self = .one(try content.decode())
                case "\(two)": self = .two(try content.decode())
                default: self = .other(try content.decode())
                }
                """)
        #expect(messages == [])
    }

    @Test(arguments: [
        ("{type: 'null'}", "{type: string}", ".null", ".string"),
        ("{type: string}", "{type: 'null'}", ".string", ".null"),
        // Both accept null, so that only the other kind decides.
        ("{type: [integer, 'null']}", "{type: [string, 'null']}", ".integer", ".string"),
    ])
    func `null is a kind by which a member decides`(_ first: String, _ second: String, _ one: String, _ two: String) {
        let (code, messages) = decision([first, second].map { "required: [a], properties: {a: \($0)}" })
        #expect(code.contains("switch content.kind(of: \"a\") {\ncase \(one): self = .one("))
        #expect(code.contains("case \(two): self = .two("))
        #expect(messages == [])
    }

    @Test func `null decides nothing if two branches accept it`() {
        let kinds = ["{type: 'null'}", "{type: [string, 'null']}"]
        let (code, messages) = decision(kinds.map { "required: [a], properties: {a: \($0)}" })
        #expect(!code.contains("content.kind(of: \"a\")"))
        #expect(messages.count == 1)
    }

    /// The members of a branch whose `data` has these members.
    private func data(_ members: String, _ more: String = "required: [data], ") -> String {
        "\(more)properties: {data: {type: object, properties: {\(members)}}}"
    }

    @Test(arguments: ["required: [data], ", ""])
    func `the constants of a member's member decide`(_ more: String) {
        let (code, messages) = decision([
            data("type: {const: a}, x: {type: string}", more), data("type: {enum: [b, c]}", more),
        ])
        #expect(
            code.hasSuffix(
                """
                switch content.text(of: "data", "type") {
                case "a": self = .one(try content.decode())
                case "b", "c": self = .two(try content.decode())
                default: self = .other(try content.decode())
                }
                """))
        #expect(messages == [])
    }

    @Test func `the constant of a member's member is its default`() {
        let type = "required: [data], properties: {data: {type: object, properties: {type: {const: %}}}}"
        let branches = ["a", "b"].map { "{title: \($0), type: object, \(type.replacing("%", with: $0))}" }
        let generated = Generated(schemas: "Union: {oneOf: [\(branches.joined(separator: ", "))]}")
        let code = generated.code("Models/Union.swift")
        #expect(code.contains("init(type: String? = \"a\")"))
        #expect(code.contains("init(type: String? = \"b\")"))
    }

    @Test func `a member's constants decide before a member that only some branches have`() {
        let (code, messages) = decision([
            "required: [id], properties: {id: {}, data: {type: object, properties: {type: {const: a}}}, x: {}}",
            "required: [id], properties: {id: {}, data: {type: object, properties: {type: {const: b}}}}",
            "required: [id], properties: {id: {}, data: {type: object, properties: {type: {const: b}}}, y: {}}",
        ])
        #expect(code.hasPrefix("switch content.text(of: \"data\", \"type\") {\ncase \"a\": self = .one("))
        #expect(code.contains("case \"b\":\n    if content.has(\"y\") {\n        self = .three("))
        #expect(messages == [])
    }

    @Test(arguments: [
        // The same texts, none in one branch, values of each kind in one, no such member in one.
        [
            "data: {type: object, properties: {type: {const: a}}}",
            "data: {type: object, properties: {type: {const: a}}}",
        ],
        ["data: {type: object, properties: {type: {const: a}}}", "data: {type: object, properties: {type: {}}}"],
        ["data: {type: object, properties: {type: {const: a}}}", "data: {}"],
        ["data: {type: object, properties: {type: {const: a}}}", "x: {}"],
    ])
    func `constants of a member's member decide only if all branches have different ones`(_ members: [String]) {
        let (code, _) = decision(members.map { "properties: {id: {}, \($0)}" })
        #expect(!code.contains("text(of:"))
    }
}
