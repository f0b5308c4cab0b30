public import Errand

extension ErrandError.Code {
    /// A request is not in the cassette that replays, or the file of the cassette is missing. Nothing was sent.
    public static let notRecorded = ErrandError.Code(rawValue: "notRecorded")
    /// A cassette has entries that no request asked for.
    public static let entriesUnused = ErrandError.Code(rawValue: "entriesUnused")
    /// The file of a cassette is no HAR file.
    public static let invalidCassette = ErrandError.Code(rawValue: "invalidCassette")
}

extension ErrandError {
    /// A file that cannot be read or written.
    static func file(_ file: URL, _ what: String, because error: any Error) -> ErrandError {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error
        let reason = (cause as? POSIXError).map { ": \(String(cString: strerror($0.code.rawValue)))" } ?? ""
        return ErrandError(
            .fileAccessFailed, reason: "\(file.lastPathComponent) \(what)\(reason)", underlyingError: cause)
    }
}
