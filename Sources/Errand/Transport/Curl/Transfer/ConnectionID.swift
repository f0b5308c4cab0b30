#if canImport(CCurl)
/// Which connection a request was sent over: its two ends, as libcurl names them before it sends.
struct ConnectionID: Hashable {
    /// The port of this side, which the connection's socket has too.
    let localPort: Int32
    let remotePort: Int32
    /// A hash of both addresses, in place of two texts for each request.
    private let addresses: Int

    init(
        remote: UnsafePointer<CChar>?, remotePort: Int32, local: UnsafePointer<CChar>?, localPort: Int32
    ) {
        self.localPort = localPort
        self.remotePort = remotePort
        var hasher = Hasher()
        for address in [remote, local] {
            if let address { hasher.combine(bytes: UnsafeRawBufferPointer(start: address, count: strlen(address))) }
            hasher.combine(0)
        }
        addresses = hasher.finalize()
    }
}
#endif
