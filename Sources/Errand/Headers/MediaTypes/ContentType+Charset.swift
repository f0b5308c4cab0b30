extension ContentType {
    /// The encoding from the `charset` parameter, which has one of the encoding's IANA names, or one of its labels in
    /// the WHATWG Encoding Standard (section 4.2). Case and surrounding spaces are ignored, and so are single quotation
    /// marks, which no standard allows, but which some servers send.
    ///
    /// `nil` if the parameter is missing, or if Foundation does not support the encoding on every platform.
    ///
    /// The meaning of a missing parameter depends on the type: UTF-8 for JSON (RFC 8259, section 8.1). For text, it was
    /// originally US-ASCII, and is mostly UTF-8 today.
    public var charset: String.Encoding? {
        self["charset"].flatMap { name in
            var name = Array(name.utf8)[...].trimmingBlanks
            if name.count > 1, name.first == UInt8(ascii: "'"), name.last == UInt8(ascii: "'") {
                name = name.dropFirst().dropLast().trimmingBlanks
            }
            return Self.encodings[String(decoding: name.map(\.loweredASCII), as: UTF8.self)]
        }
    }

    /// The names by encoding. A name that the WHATWG gives to a larger encoding keeps its IANA meaning, if Foundation
    /// has that encoding.
    private static let names: [(encoding: String.Encoding, names: String)] = [
        (.utf8, "utf-8 utf8 csutf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8"),
        (.ascii, "us-ascii ascii iso646-us ansi_x3.4-1968 us"),
        (
            .isoLatin1,
            "iso-8859-1 iso_8859-1 iso_8859-1:1987 iso8859-1 iso88591 iso-ir-100 latin1 l1 csisolatin1 cp819 ibm819"
        ),
        (
            .isoLatin2,
            "iso-8859-2 iso_8859-2 iso_8859-2:1987 iso8859-2 iso88592 iso-ir-101 latin2 l2 csisolatin2"
        ),
        (.windowsCP1250, "windows-1250 cp1250 x-cp1250"),
        (.windowsCP1251, "windows-1251 cp1251 x-cp1251"),
        (.windowsCP1252, "windows-1252 cp1252 x-cp1252"),
        (.windowsCP1253, "windows-1253 cp1253 x-cp1253"),
        (
            .windowsCP1254,
            "windows-1254 cp1254 x-cp1254 iso-8859-9 iso_8859-9 iso_8859-9:1989 iso8859-9 iso88599 iso-ir-148 latin5 l5 "
                + "csisolatin5"
        ),
        (.utf16, "utf-16"),
        (.utf16BigEndian, "utf-16be unicodefffe"),
        (.utf16LittleEndian, "utf-16le csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff"),
        (.utf32, "utf-32"), (.utf32BigEndian, "utf-32be"), (.utf32LittleEndian, "utf-32le"),
        (.shiftJIS, "shift_jis shift-jis sjis x-sjis ms_kanji ms932 windows-31j csshiftjis"),
        (.iso2022JP, "iso-2022-jp csiso2022jp"),
        (.macOSRoman, "macintosh mac x-mac-roman csmacintosh"),
    ]

    private static let encodings = Dictionary(
        uniqueKeysWithValues: names.flatMap { row in
            row.names.split(separator: " ").map { (String($0), row.encoding) }
        })
}
