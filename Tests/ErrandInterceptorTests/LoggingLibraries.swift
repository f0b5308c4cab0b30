import TestSupport

/// Stands in for the `Logger` of swift-log, as far as the page on logging uses it.
struct Logger: Sendable {
    enum Level: String, Sendable { case trace, debug, info, notice, warning, error, critical }
    struct Text: ExpressibleByStringInterpolation, CustomStringConvertible, Sendable {
        let description: String
        init(stringLiteral value: String) { description = value }
    }
    typealias Message = Text
    typealias Metadata = [String: Text]

    let lines = Recorder<(level: Level, text: String, metadata: Metadata)>()

    init(label: String) {}

    func log(level: Level, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil) {
        lines.record((level, message().description, metadata() ?? [:]))
    }
}

/// Stands in for Apple's `OSLogType`.
struct OSLogType: Hashable, Sendable {
    let name: String
    static let `default` = OSLogType(name: "default")
    static let debug = OSLogType(name: "debug")
    static let error = OSLogType(name: "error")
}

/// Stands in for Apple's `os`.
// swift-format-ignore: TypeNamesShouldBeCapitalized
enum os {
    struct Logger: Sendable {
        struct Message: ExpressibleByStringInterpolation, Sendable {
            enum Privacy { case `public` }
            struct StringInterpolation: StringInterpolationProtocol, Sendable {
                var text = ""
                init(literalCapacity: Int, interpolationCount: Int) {}
                mutating func appendLiteral(_ literal: String) { text += literal }
                mutating func appendInterpolation(_ value: String, privacy: Privacy) { text += value }
            }
            let text: String
            init(stringLiteral value: String) { text = value }
            init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
        }

        let lines = Recorder<(level: OSLogType, text: String)>()

        init(subsystem: String, category: String) {}

        func log(level: OSLogType, _ message: Message) {
            lines.record((level, message.text))
        }
    }
}
