extension String {
    /// This text on one line, in which every character can be seen.
    ///
    /// Line separators and tabs become spaces. Other control and format characters, such as those that change the
    /// direction of text, are shown as `\u{202E}`. U+200D stays within an emoji: it has no effect on the compiler and
    /// on the order of the text.
    var visibleLine: String {
        guard !utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else { return self }
        var line = String.UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        for scalar in unicodeScalars {
            defer { previous = scalar }
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\t", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": line.append(" ")
            case "\u{200D}" where previous.isEmojiPart: line.append(scalar)
            case _ where scalar.isInvisible:
                line.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
            default: line.append(scalar)
            }
        }
        return String(line)
    }
}

extension Unicode.Scalar {
    /// Whether this is a control or format character.
    var isInvisible: Bool {
        if value < 0x7F { return value < 0x20 }
        let category = properties.generalCategory
        return category == .control || category == .format
    }

    /// Whether U+200D after this joins two emoji.
    fileprivate var isEmojiPart: Bool { value == 0xFE0F || !isASCII && properties.isEmoji }
}
