public import Errand

extension ErrandError.Code {
    /// A request is not in the cassette, or the file of the cassette is missing. Nothing was sent.
    public static let notRecorded = ErrandError.Code(rawValue: "notRecorded")
    /// A cassette has entries that were not used.
    public static let entriesUnused = ErrandError.Code(rawValue: "entriesUnused")
    /// The file of a cassette is not a HAR file.
    public static let invalidCassette = ErrandError.Code(rawValue: "invalidCassette")
}

extension ErrandError {
    /// Creates the error for a file that cannot be read or written.
    static func file(_ file: URL, _ what: String, because error: any Error) -> ErrandError {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error
        let reason = (cause as? POSIXError).map { ": \(String(cString: strerror($0.code.rawValue)))" } ?? ""
        return ErrandError(
            .fileAccessFailed, reason: "\(file.lastPathComponent) \(what)\(reason)", underlyingError: cause)
    }
}
