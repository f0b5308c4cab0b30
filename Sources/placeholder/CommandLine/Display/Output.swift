import Errand

/// A destination of text: a standard stream of the process, or the output of a test.
struct Output: Sendable {
    /// Whether the output is a terminal, so that a line can be overwritten.
    let isTerminal: Bool
    private let write: @Sendable (String) -> Void

    init(isTerminal: Bool = false, write: @escaping @Sendable (String) -> Void) {
        self.isTerminal = isTerminal
        self.write = write
    }

    /// Writes a text without changes.
    func text(_ text: String) {
        write(text)
    }

    /// Writes a line, or several lines with line breaks between them.
    func line(_ text: String = "") {
        write(text + "\n")
    }

    // A reader that has closed the pipe, such as `head`, is not an error.
    static let standardOutput = Output { try? FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) }
    static let standardError = Output(isTerminal: isatty(STDERR_FILENO) == 1) {
        try? FileHandle.standardError.write(contentsOf: Data($0.utf8))
    }
}

extension String {
    /// This text without line breaks and other control characters, which could be commands for a terminal.
    var onOneLine: String {
        let unwanted: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
        let scalars = unicodeScalars.map { unwanted.contains($0.properties.generalCategory) ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
