#if canImport(CCurl)
import CCurl

extension CurlTransfer {
    private static let contexts = [
        CCURLOPT_PRIVATE, CCURLOPT_WRITEDATA, CCURLOPT_HEADERDATA, CCURLOPT_READDATA, CCURLOPT_SEEKDATA,
        CCURLOPT_PREREQDATA,
    ]

    /// Points a new handle's callbacks here, by way of the handle, which outlives its transfers.
    static func prepareCallbacks(of handle: CurlHandle) {
        let easy = handle.easy
        let context = Unmanaged.passUnretained(handle).toOpaque()
        for option in contexts { handle.set(option, context: context) }
        ccurl_set_data_callback(easy, Int32(CCURLOPT_HEADERFUNCTION)) { bytes, size, count, context in
            let line = UnsafeBufferPointer(bytes, count: size * count)
            return CurlTransfer.transfer(at: context).receive(line: line) ? line.count : 0
        }
        ccurl_set_data_callback(easy, Int32(CCURLOPT_WRITEFUNCTION)) { bytes, size, count, context in
            let piece = UnsafeBufferPointer(bytes, count: size * count)
            return switch CurlTransfer.transfer(at: context).receive(piece) {
            case .taken: piece.count
            case .notYet: Int(CCURL_WRITEFUNC_PAUSE)
            // Any other count than was offered ends the transfer; 0 would not, for a piece of none.
            case .refused: piece.count + 1
            }
        }
        ccurl_set_data_callback(easy, Int32(CCURLOPT_READFUNCTION)) { bytes, size, count, context in
            let transfer = CurlTransfer.transfer(at: context)
            transfer.touch()
            let room = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return switch transfer.upload?.read(into: room) {
            case .bytes(let count): count
            case .nothingYet: Int(CCURL_READFUNC_PAUSE)
            case .failed, nil: Int(CCURL_READFUNC_ABORT)
            }
        }
        ccurl_set_seek_callback(easy) { context, offset, origin in
            let hasSought =
                origin == SEEK_SET && CurlTransfer.transfer(at: context).upload?.seek(to: Int(offset)) == true
            return Int32(hasSought ? CCURL_SEEKFUNC_OK : CCURL_SEEKFUNC_FAIL)
        }
        ccurl_set_prerequest_callback(easy) { context, _, _, _, _ in
            Int32(CurlTransfer.transfer(at: context).mayBeSent() ? CCURL_PREREQFUNC_OK : CCURL_PREREQFUNC_ABORT)
        }
    }

    private static func transfer(at context: UnsafeMutableRawPointer?) -> CurlTransfer {
        guard let transfer = CurlHandle.at(context).transfer else {
            preconditionFailure("libcurl calls back only for a transfer that is on its handle")
        }
        return transfer
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate init(_ bytes: UnsafeMutablePointer<CChar>?, count: Int) {
        self = UnsafeRawBufferPointer(start: bytes, count: count).bindMemory(to: UInt8.self)
    }
}
#endif
