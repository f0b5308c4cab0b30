extension ContentType {
    /// The encoding from the `charset` parameter, which has one of the encoding's IANA names. Case and surrounding
    /// spaces are ignored.
    ///
    /// `nil` if the parameter is missing, or if Foundation does not support the encoding on every platform.
    ///
    /// The meaning of a missing parameter depends on the type: UTF-8 for JSON (RFC 8259, section 8.1). For text, it was
    /// originally US-ASCII, and is mostly UTF-8 today.
    public var charset: String.Encoding? {
        self["charset"].flatMap { name in
            Self.encodings[String(decoding: Array(name.utf8)[...].trimmingBlanks.map(\.loweredASCII), as: UTF8.self)]
        }
    }

    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "csutf8": .utf8,
        "us-ascii": .ascii, "ascii": .ascii, "iso646-us": .ascii, "ansi_x3.4-1968": .ascii, "us": .ascii,
        "iso-8859-1": .isoLatin1, "iso_8859-1": .isoLatin1, "latin1": .isoLatin1, "l1": .isoLatin1, "cp819": .isoLatin1,
        "iso-8859-2": .isoLatin2, "iso_8859-2": .isoLatin2, "latin2": .isoLatin2, "l2": .isoLatin2,
        "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251, "windows-1252": .windowsCP1252,
        "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254,
        "utf-16": .utf16, "utf-16be": .utf16BigEndian, "utf-16le": .utf16LittleEndian,
        "utf-32": .utf32, "utf-32be": .utf32BigEndian, "utf-32le": .utf32LittleEndian,
        "shift_jis": .shiftJIS, "ms_kanji": .shiftJIS, "csshiftjis": .shiftJIS,
        "iso-2022-jp": .iso2022JP, "csiso2022jp": .iso2022JP,
        "macintosh": .macOSRoman, "mac": .macOSRoman,
    ]
}
