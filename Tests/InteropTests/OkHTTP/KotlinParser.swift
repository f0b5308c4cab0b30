import Foundation

/// A parser for the statements of a function.
struct KotlinParser {
    private enum Token: Equatable {
        case word(String)
        case number(Int)
        case text(String)
        case symbol(Character)
        case lineEnd
    }

    private var tokens: ArraySlice<Token>

    /// - Throws: ``KotlinUnsupported`` for a character that begins no token.
    init(_ text: String) throws {
        var tokens: [Token] = []
        var rest = text.replacing(#///[^\n]*/#) { $0.output.contains("\"") ? String($0.output) : "" }[...]
        while let first = rest.first {
            if first == "\n" {
                tokens.append(.lineEnd)
                rest.removeFirst()
            } else if first.isWhitespace {
                rest.removeFirst()
            } else if let match = rest.prefixMatch(of: #/"((?:[^"\\]|\\.)*)"/#) {
                tokens.append(.text(Self.unescaped(String(match.1))))
                rest = rest[match.range.upperBound...]
            } else if let match = rest.prefixMatch(of: #/(\d+)L?/#) {
                // A number out of range is limited, as a jar does.
                tokens.append(.number(Int(match.1) ?? .max))
                rest = rest[match.range.upperBound...]
            } else if let match = rest.prefixMatch(of: #/[A-Za-z_]\w*/#) {
                tokens.append(.word(String(match.output)))
                rest = rest[match.range.upperBound...]
            } else if rest.hasPrefix("!!") {
                rest.removeFirst(2)
            } else {
                tokens.append(.symbol(first))
                rest.removeFirst()
            }
        }
        self.tokens = tokens[...]
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing(#/\\u([0-9a-f]{4})/#) { match in
            String(UnicodeScalar(UInt16(match.1, radix: 16) ?? 0).map(Character.init) ?? "?")
        }
        .replacing("\\r", with: "\r").replacing("\\n", with: "\n").replacing("\\t", with: "\t")
        .replacing("\\\"", with: "\"")
    }

    /// Parses all statements, up to a closing brace or the end.
    mutating func statements() throws -> [KotlinStatement] {
        var statements: [KotlinStatement] = []
        skipLineEnds()
        while let token = tokens.first, token != .symbol("}") {
            statements.append(try statement(token))
            skipLineEnds()
        }
        return statements
    }

    private mutating func statement(_ token: Token) throws -> KotlinStatement {
        switch token {
        case .word("val"), .word("var"):
            tokens.removeFirst()
            guard case .word(let name)? = tokens.popFirst() else { throw KotlinUnsupported(reason: "declaration") }
            try expect("=")
            return .declaration(name, try expression())
        case .word("return"):
            tokens.removeFirst()
            return .result(try expression())
        case .word("if"):
            tokens.removeFirst()
            try expect("(")
            let condition = try expression()
            try expect(")")
            let then = try block()
            guard tokens.first == .word("else") else { return .condition(condition, then: then, otherwise: []) }
            tokens.removeFirst()
            return .condition(condition, then: then, otherwise: try block())
        default:
            return .expression(try expression())
        }
    }

    private mutating func block() throws -> [KotlinStatement] {
        try expect("{")
        let statements = try statements()
        try expect("}")
        return statements
    }

    private mutating func expression() throws -> KotlinExpression {
        skipLineEnds()
        var value = try operand()
        while skip("+") { value = .sum(value, try operand()) }
        return value
    }

    private mutating func operand() throws -> KotlinExpression {
        skipLineEnds()
        if skip("!") { return .not(try operand()) }
        var value: KotlinExpression
        switch tokens.popFirst() {
        case .text(let text): value = .text(text)
        case .number(let number): value = .number(number)
        case .symbol("-"):
            guard case .number(let number)? = tokens.popFirst() else { throw KotlinUnsupported(reason: "minus") }
            value = .number(-number)
        case .word(let name): value = try tokens.first == .symbol("(") ? .call(nil, name, arguments()) : .name(name)
        default: throw KotlinUnsupported(reason: "syntax")
        }
        while true {
            // A line that begins with a point continues the expression.
            let next = tokens.drop { $0 == .lineEnd }
            if next.first == .symbol(".") {
                tokens = next.dropFirst()
                skipLineEnds()
                guard case .word(let name)? = tokens.popFirst() else { throw KotlinUnsupported(reason: "member") }
                let isCall = tokens.first == .symbol("(")
                value = try isCall ? .call(value, name, arguments()) : .member(value, name)
            } else if skip("[") {
                value = .element(value, try expression())
                try expect("]")
            } else {
                if let symbol = tokens.first, case .symbol(let character) = symbol, !")]},+".contains(character) {
                    throw KotlinUnsupported(reason: "operator \(character)")
                }
                return value
            }
        }
    }

    private mutating func arguments() throws -> [KotlinExpression] {
        try expect("(")
        var arguments: [KotlinExpression] = []
        skipLineEnds()
        while !skip(")") {
            arguments.append(try expression())
            skipLineEnds()
            _ = skip(",")
            skipLineEnds()
        }
        return arguments
    }

    private mutating func skip(_ symbol: Character) -> Bool {
        guard tokens.first == .symbol(symbol) else { return false }
        tokens.removeFirst()
        return true
    }

    private mutating func expect(_ symbol: Character) throws {
        skipLineEnds()
        guard skip(symbol) else { throw KotlinUnsupported(reason: "syntax") }
    }

    private mutating func skipLineEnds() {
        while tokens.first == .lineEnd { tokens.removeFirst() }
    }
}
