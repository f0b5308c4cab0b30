/// What stands in a stream where a JSON text should.
enum JSONText: Equatable {
    /// Perhaps one: whether it is JSON, who decodes it will see.
    case whole(ArraySlice<UInt8>)
    /// One that may have been longer.
    case cutOff(ArraySlice<UInt8>)
    /// Something that does not begin as a text does.
    case stray
    /// No text, where a comma says that there is one.
    case nothing
    /// One that has more bytes than it may: they are passed over.
    case tooLong
}

extension UInt8 {
    /// Whether this is white space between the tokens of JSON (RFC 8259, section 2).
    var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
