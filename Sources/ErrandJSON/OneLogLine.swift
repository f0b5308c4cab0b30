extension String {
    /// This text with escapes in place of line breaks, other control characters and invisible formatting characters. So
    /// text from a server cannot begin a log line or control a terminal.
    package var onOneLogLine: String {
        guard unicodeScalars.contains(where: \.isUnfitForLogs) else { return self }
        return unicodeScalars.reduce(into: "") { line, scalar in
            switch scalar {
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            case _ where scalar.isUnfitForLogs: line += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isUnfitForLogs: Bool {
        if value >= 0x20 && value < 0x7F { return false }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format: return true
        default: return false
        }
    }
}
