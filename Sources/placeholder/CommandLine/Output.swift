import Errand

/// Where text goes: a standard stream of the process, or what a test has for one.
struct Output: Sendable {
    /// Whether somebody sees it there, and a line can be written over.
    let isTerminal: Bool
    private let write: @Sendable (String) -> Void

    init(isTerminal: Bool = false, write: @escaping @Sendable (String) -> Void) {
        self.isTerminal = isTerminal
        self.write = write
    }

    /// Writes a text as it is.
    func text(_ text: String) {
        write(text)
    }

    /// Writes a line, or several with line breaks in between.
    func line(_ text: String = "") {
        write(text + "\n")
    }

    // A reader that has gone away, such as `head`, is no failure of this program.
    static let standardOutput = Output { try? FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) }
    static let standardError = Output(isTerminal: isatty(STDERR_FILENO) == 1) {
        try? FileHandle.standardError.write(contentsOf: Data($0.utf8))
    }
}

extension String {
    /// This text without line breaks and other control characters, which could also be commands to a terminal.
    var onOneLine: String {
        let unwanted: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
        let scalars = unicodeScalars.map { unwanted.contains($0.properties.generalCategory) ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
