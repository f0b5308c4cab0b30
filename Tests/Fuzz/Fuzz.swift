/// The function that libFuzzer calls with each input.
///
/// All targets are in one program; an environment variable selects one, since libFuzzer reads the arguments itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target(FuzzInput(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

private let target: @Sendable (consuming FuzzInput) -> Void = {
    let name = ProcessInfo.processInfo.environment["ERRAND_FUZZ_TARGET"] ?? ""
    guard let target = fuzzTargets[name] else {
        let names = fuzzTargets.keys.sorted().joined(separator: " ")
        FileHandle.standardError.write(Data("ERRAND_FUZZ_TARGET must be one of: \(names)\n".utf8))
        exit(2)
    }
    return target
}()

/// Every target by its name, which is also the name of its corpus.
private let fuzzTargets: [String: @Sendable (consuming FuzzInput) -> Void] = [
    "lines": fuzzLines,
    "json-texts": fuzzJSONTexts,
    "server-sent-events": fuzzServerSentEvents,
    "multipart": fuzzMultipart,
    "link": fuzzLink,
    "cache-control": fuzzCacheControl,
    "media-type": fuzzMediaType,
    "http-date": fuzzHTTPDate,
    "websocket": fuzzWebSocket,
    "json": fuzzJSON,
    "json-foundation": fuzzJSONBesideFoundation,
    "json-encoding": fuzzJSONEncoding,
]

/// Stops the program, so that libFuzzer keeps the input.
func expect(_ condition: Bool, _ what: String) {
    guard condition else { fatalError(what) }
}
