import Foundation

/// The functions of a test class in Kotlin, as far as their statements are simple: declarations, calls and conditions.
struct KotlinSource {
    /// A function with the names of its parameters and the lines of its body.
    struct Function {
        let name: String
        let isTest: Bool
        let parameters: [String]
        let body: String
    }

    let functions: [String: Function]

    /// Finds the functions in a source with the formatting of ktlint: members are indented by two spaces, and the
    /// closing brace of a function is alone in its line.
    init(_ text: String) {
        var functions: [String: Function] = [:]
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        var isTest = false
        while let line = lines.popFirst() {
            if line.hasPrefix("  @Test") { isTest = true }
            guard let match = line.firstMatch(of: #/^  [^/*]*?fun (\w+)\((.*)/#) else { continue }
            var head = String(match.2)
            while !head.hasSuffix("{"), let next = lines.first, next != "  }", !next.isEmpty {
                head += next
                lines.removeFirst()
            }
            let body = lines.prefix { $0 != "  }" }
            lines = lines[body.endIndex...]
            let parameters = head.matches(of: #/(\w+): [A-Z]\w*/#).map { String($0.1) }
            functions[String(match.1)] = Function(
                name: String(match.1), isTest: isTest, parameters: parameters, body: body.joined(separator: "\n"))
            isTest = false
        }
        self.functions = functions
    }

    /// The names of the tests, in order.
    var tests: [String] { functions.values.filter(\.isTest).map(\.name).sorted() }
}

/// A text that the parser or the interpreter does not know.
struct KotlinUnsupported: Error {
    let reason: String
}

/// An expression of Kotlin.
indirect enum KotlinExpression {
    case text(String)
    case number(Int)
    case name(String)
    case not(KotlinExpression)
    case sum(KotlinExpression, KotlinExpression)
    case member(KotlinExpression, String)
    case element(KotlinExpression, KotlinExpression)
    case call(KotlinExpression?, String, [KotlinExpression])
}

/// A statement of Kotlin.
indirect enum KotlinStatement {
    case declaration(String, KotlinExpression)
    case result(KotlinExpression)
    case expression(KotlinExpression)
    case condition(KotlinExpression, then: [KotlinStatement], otherwise: [KotlinStatement])
}
