#if !canImport(CCompression)
extension Data {
    func gzipped() throws -> Data { throw ErrandError.withoutZlib }
}

extension BodyStream {
    func gzipped() throws -> BodyStream { throw ErrandError.withoutZlib }
}

extension ErrandError {
    fileprivate static var withoutZlib: ErrandError {
        ErrandError(.unsupportedByTransport, reason: "bodies cannot be compressed on this platform")
    }
}
#endif
