/// Removes secrets from text: the values after names of ``SecretNames`` in URLs, forms, JSON, XML and log lines, and
/// the user info of URLs.
///
/// Percent-encoded text is decoded, several times if necessary, to search for secrets. If it contains one, it is
/// replaced completely.
package struct TextRedaction: Sendable {
    let names: SecretNames
    /// The text that replaces a secret.
    let placeholder: String
    /// The number of times that the text has been decoded.
    private let depth: Int

    package init(_ names: SecretNames, placeholder: String = "***") {
        self.init(names, placeholder: placeholder, depth: 0)
    }

    private init(_ names: SecretNames, placeholder: String, depth: Int) {
        self.names = names
        self.placeholder = placeholder
        self.depth = depth
    }

    /// Returns the text without its secrets.
    package func redacted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return redactedOrNil(bytes).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// Returns the text without its secrets, in any encoding that includes ASCII.
    package func redacted(_ bytes: [UInt8]) -> [UInt8] { redactedOrNil(bytes) ?? bytes }

    /// Returns `true` if the text contains a secret.
    package func findsSecret(in bytes: some Collection<UInt8>) -> Bool { redactedOrNil(Array(bytes)) != nil }

    /// Returns an encoded query or form (WHATWG URL, section 5) without its secrets, item by item.
    package func redacted(form: [UInt8]) -> [UInt8] {
        let items = form.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return Array(items.map { redacted(item: $0) }.joined(separator: [UInt8(ascii: "&")]))
    }

    private func redacted(item: ArraySlice<UInt8>) -> [UInt8] {
        let name = item.prefix { $0 != UInt8(ascii: "=") }
        if findsSecret(in: name) { return Array(placeholder.utf8) }
        let value = item.dropFirst(name.count + 1)
        guard name.count < item.count,
            names.contains(item: name.fullyDecoded, number: value.isNumber) || findsSecret(in: value)
        else { return Array(item) }
        return name + Array("=\(placeholder)".utf8)
    }

    private func redactedOrNil(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.contains(where: { Self.marks.contains($0) }) else { return nil }
        var scanner = TextScanner(bytes: bytes, redaction: self)
        scanner.scan()
        return scanner.hasHidden ? scanner.copy : nil
    }

    /// Returns `true` if the decoded text contains a secret, or if the text is encoded too many times to be searched.
    func findsSecret(inEncoded bytes: ArraySlice<UInt8>) -> Bool {
        guard let decoded = bytes.percentDecoded else { return false }
        guard depth < 8 else { return true }
        return TextRedaction(names, placeholder: placeholder, depth: depth + 1).redactedOrNil(decoded) != nil
    }

    /// The redaction with the default names.
    static let standard = TextRedaction(SecretNames())

    /// A text without any of these characters has no name with a value.
    private static let marks = Set("=:<%".utf8)
}

extension ArraySlice<UInt8> {
    /// Whether these bytes can be a JSON number.
    var isNumber: Bool { !isEmpty && allSatisfy(\.isInNumber) }

    /// These bytes, percent-decoded (WHATWG URL, section 1.3); `nil` if nothing is encoded.
    var percentDecoded: [UInt8]? {
        guard contains(UInt8(ascii: "%")) else { return nil }
        var decoded: [UInt8] = []
        var index = startIndex
        while index < endIndex {
            if self[index] == UInt8(ascii: "%"), index + 2 < endIndex, let high = self[index + 1].hexDigit,
                let low = self[index + 2].hexDigit
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(self[index])
                index += 1
            }
        }
        return decoded.count < count ? decoded : nil
    }

    /// These bytes as text, percent-decoded repeatedly.
    var fullyDecoded: String {
        var bytes = self
        for _ in 0..<8 { bytes = bytes.percentDecoded?[...] ?? bytes }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether this byte can be part of a decimal number.
    var isInNumber: Bool { isDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "-") }

    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
