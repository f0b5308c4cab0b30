import Errand

/// A value of a test in Kotlin.
enum KotlinValue {
    case null
    case text(String)
    case number(Int)
    case flag(Bool)
    case url(URL)
    case cookie(CookieJar.Cookie, since: Date)
    case response(OkHTTPCacheCalls.Response)
    case request(OkHTTPCacheCalls.Call)
    case outcome(OkHTTPCacheCalls.Outcome)
    case received(HeaderFields)
    /// The argument of `assertThat`.
    indirect case subject(KotlinValue)
    /// A name, such as that of a class, whose members are known.
    case symbol(String)
}

/// The calls and members that the tests of a class use, with Errand.
protocol KotlinLibrary {
    /// Calls a function or a method.
    ///
    /// - Throws: ``KotlinUnsupported`` for an unknown one.
    func call(_ name: String, on receiver: KotlinValue?, _ arguments: [KotlinValue]) async throws -> KotlinValue

    /// Returns a member of a value.
    func member(_ name: String, of value: KotlinValue) throws -> KotlinValue
}

/// A run of one test, which evaluates its statements and collects the assertions that do not hold.
final class KotlinRun {
    private(set) var assertions = 0
    private(set) var failures: [String] = []

    private let source: KotlinSource
    private let library: any KotlinLibrary
    private let constants: [String: KotlinValue]

    init(_ source: KotlinSource, _ library: any KotlinLibrary, constants: [String: KotlinValue]) {
        self.source = source
        self.library = library
        self.constants = constants
    }

    /// Calls a function of the class with its arguments.
    @discardableResult
    func run(_ name: String, _ arguments: [KotlinValue] = []) async throws -> KotlinValue {
        guard let function = source.functions[name], arguments.count <= function.parameters.count else {
            throw KotlinUnsupported(reason: "function \(name)")
        }
        var parser = try KotlinParser(function.body)
        var values = constants.merging(zip(function.parameters, arguments)) { $1 }
        for parameter in function.parameters.dropFirst(arguments.count) { values[parameter] = .flag(false) }
        return try await run(try parser.statements(), &values) ?? .null
    }

    private func run(
        _ statements: [KotlinStatement], _ values: inout [String: KotlinValue]
    ) async throws -> KotlinValue? {
        for statement in statements {
            switch statement {
            case .declaration(let name, let expression): values[name] = try await evaluate(expression, values)
            case .result(let expression): return try await evaluate(expression, values)
            case .expression(let expression): _ = try await evaluate(expression, values)
            case .condition(let condition, let then, let otherwise):
                guard case .flag(let isTrue) = try await evaluate(condition, values) else {
                    throw KotlinUnsupported(reason: "condition")
                }
                if let result = try await run(isTrue ? then : otherwise, &values) { return result }
            }
        }
        return nil
    }

    private func evaluate(
        _ expression: KotlinExpression, _ values: [String: KotlinValue]
    ) async throws -> KotlinValue {
        switch expression {
        case .text(let text): return .text(try interpolated(text, values))
        case .number(let number): return .number(number)
        case .name("true"): return .flag(true)
        case .name("false"): return .flag(false)
        case .name("null"): return .null
        case .name(let name): return values[name] ?? .symbol(name)
        case .not(let operand):
            guard case .flag(let isTrue) = try await evaluate(operand, values) else {
                throw KotlinUnsupported(reason: "!")
            }
            return .flag(!isTrue)
        case .sum(let one, let other):
            guard case .text(let front) = try await evaluate(one, values),
                case .text(let back) = try await evaluate(other, values)
            else { throw KotlinUnsupported(reason: "+") }
            return .text(front + back)
        case .member(let operand, let name): return try library.member(name, of: await evaluate(operand, values))
        case .element(let operand, let key):
            let arguments = [try await evaluate(key, values)]
            return try await library.call("get", on: await evaluate(operand, values), arguments)
        case .call(let operand, let name, let expressions):
            var receiver: KotlinValue?
            if let operand { receiver = try await evaluate(operand, values) }
            var arguments: [KotlinValue] = []
            for expression in expressions { arguments.append(try await evaluate(expression, values)) }
            if receiver == nil, name == "assertThat", let subject = arguments.first { return .subject(subject) }
            if case .subject(let subject)? = receiver { return try check(subject, name, arguments) }
            // The functions that the library has are those that a test cannot show.
            if receiver == nil, source.functions[name] != nil, !["get", "formatDate", "date"].contains(name) {
                return try await run(name, arguments)
            }
            return try await library.call(name, on: receiver, arguments)
        }
    }

    private func interpolated(_ text: String, _ values: [String: KotlinValue]) throws -> String {
        try text.replacing(#/\$(\w+)/#) { match in
            guard case .text(let value)? = values[String(match.1)] else { throw KotlinUnsupported(reason: "text") }
            return value
        }
    }

    private func check(_ subject: KotlinValue, _ name: String, _ arguments: [KotlinValue]) throws -> KotlinValue {
        // A value that Errand does not have.
        if case .symbol = subject { return .null }
        let expected: KotlinValue
        switch name {
        case "isNull": expected = .null
        case "isTrue": expected = .flag(true)
        case "isFalse": expected = .flag(false)
        case "isEqualTo": expected = arguments.first ?? .null
        case "isNotNull":
            assertions += 1
            if subject.comparable == "null" { failures.append("\(assertions): null") }
            return .null
        default: throw KotlinUnsupported(reason: "assertion \(name)")
        }
        assertions += 1
        if subject.comparable != expected.comparable {
            failures.append("\(assertions): \(subject.comparable) instead of \(expected.comparable)")
        }
        return .null
    }
}

extension KotlinValue {
    /// The value as a text.
    var comparable: String {
        switch self {
        case .null: "null"
        case .text(let text): "\"\(text)\""
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        default: "\(self)"
        }
    }
}
