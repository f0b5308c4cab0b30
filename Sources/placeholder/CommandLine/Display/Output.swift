import Errand

/// A destination of text: a standard stream of the process, or the output of a test.
struct Output: Sendable {
    private let write: @Sendable (String) -> Void

    init(write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// Writes a line, or several lines with line breaks between them.
    func line(_ text: String = "") {
        write(text + "\n")
    }

    // A reader that has closed the pipe, such as `head`, is not an error.
    static let standardOutput = Output { try? FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) }
    static let standardError = Output {
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
