/// How the JSON texts of a stream are told apart.
public enum JSONFraming: Hashable, Sendable {
    /// One text a line, `application/x-ndjson`, also called JSON Lines.
    ///
    /// A line ends with LF, and a CR in front of it is white space. Blank lines are passed over. The last line may lack
    /// its end.
    case newlineDelimited
    /// A JSON text sequence, `application/json-seq` (RFC 7464): a record separator, U+001E, in front of each text and an LF
    /// behind it.
    ///
    /// A text may have line breaks of its own. Where one is cut off, the next begins at the next record separator. A
    /// number, `true`, `false` or `null` that no white space follows may have been longer, and is an error (section 2.4).
    case textSequence
    /// One JSON array, `application/json`, whose elements are the values. It is not kept as a whole: the memory is that of one
    /// element and one piece of the body.
    ///
    /// A body that ends before the array does, or that has something after it, ends with an error after the complete elements.
    case array
}
