#if canImport(CCurl)
import CCurl

extension CurlTransfer {
    /// Points a new handle's callbacks here; the context of each is set with every transfer.
    static func prepareCallbacks(of handle: CurlHandle) {
        let easy = handle.easy
        ccurl_set_data_callback(easy, Int32(CCURLOPT_HEADERFUNCTION)) { bytes, size, count, context in
            let line = UnsafeBufferPointer(bytes, count: size * count)
            return CurlTransfer.at(context).receive(line: line) ? line.count : 0
        }
        ccurl_set_data_callback(easy, Int32(CCURLOPT_WRITEFUNCTION)) { bytes, size, count, context in
            let piece = UnsafeBufferPointer(bytes, count: size * count)
            return switch CurlTransfer.at(context).receive(piece) {
            case .taken: piece.count
            case .notYet: Int(CCURL_WRITEFUNC_PAUSE)
            // Any other count than was offered ends the transfer; 0 would not, for a piece of none.
            case .refused: piece.count + 1
            }
        }
        ccurl_set_data_callback(easy, Int32(CCURLOPT_READFUNCTION)) { bytes, size, count, context in
            let transfer = CurlTransfer.at(context)
            transfer.touch()
            let room = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return switch transfer.upload?.read(into: room) {
            case .bytes(let count): count
            case .nothingYet: Int(CCURL_READFUNC_PAUSE)
            case .failed, nil: Int(CCURL_READFUNC_ABORT)
            }
        }
        ccurl_set_seek_callback(easy) { context, offset, origin in
            let hasSought = origin == SEEK_SET && CurlTransfer.at(context).upload?.seek(to: Int(offset)) == true
            return Int32(hasSought ? CCURL_SEEKFUNC_OK : CCURL_SEEKFUNC_FAIL)
        }
        ccurl_set_prerequest_callback(easy) { context, _, _, _, _ in
            Int32(CurlTransfer.at(context).mayBeSent() ? CCURL_PREREQFUNC_OK : CCURL_PREREQFUNC_ABORT)
        }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
        guard let context else { preconditionFailure("Every transfer sets the context of its callbacks") }
        return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate init(_ bytes: UnsafeMutablePointer<CChar>?, count: Int) {
        self = UnsafeRawBufferPointer(start: bytes, count: count).bindMemory(to: UInt8.self)
    }
}
#endif
