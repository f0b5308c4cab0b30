#if canImport(CCurl)
import CCurl

extension CurlTransfer {
    private static let contexts = [
        CCURLOPT_PRIVATE, CCURLOPT_WRITEDATA, CCURLOPT_HEADERDATA, CCURLOPT_READDATA, CCURLOPT_SEEKDATA,
        CCURLOPT_TRAILERDATA,
    ]

    /// Sets the callbacks of a new handle. Their context is the handle, which outlives its transfers.
    static func prepareCallbacks(of handle: CurlHandle) {
        let context = Unmanaged.passUnretained(handle).toOpaque()
        for option in contexts { handle.set(option, context: context) }
        prepareReceiving(by: handle)
        prepareSending(by: handle)
        prepareLog(of: handle, context)
    }

    private static func prepareReceiving(by handle: CurlHandle) {
        let easy = handle.easy
        let head = ccurl_set_data_callback(easy, Int32(CCURLOPT_HEADERFUNCTION)) { bytes, size, count, context in
            let line = UnsafeBufferPointer(bytes, count: size * count)
            return CurlTransfer.transfer(at: context).receive(line: line) ? line.count : 0
        }
        handle.note(head, of: CCURLOPT_HEADERFUNCTION)
        let body = ccurl_set_data_callback(easy, Int32(CCURLOPT_WRITEFUNCTION)) { bytes, size, count, context in
            let piece = UnsafeBufferPointer(bytes, count: size * count)
            return switch CurlTransfer.transfer(at: context).receive(piece) {
            case .taken: piece.count
            case .notYet: Int(CCURL_WRITEFUNC_PAUSE)
            // Any other count than the offered one ends the transfer. For an empty piece, 0 would not.
            case .refused: piece.count + 1
            }
        }
        handle.note(body, of: CCURLOPT_WRITEFUNCTION)
    }

    private static func prepareSending(by handle: CurlHandle) {
        let easy = handle.easy
        let read = ccurl_set_data_callback(easy, Int32(CCURLOPT_READFUNCTION)) { bytes, size, count, context in
            let room = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return switch CurlTransfer.transfer(at: context).read(into: room) {
            case .bytes(let count): count
            case .nothingYet: Int(CCURL_READFUNC_PAUSE)
            case .failed: Int(CCURL_READFUNC_ABORT)
            }
        }
        handle.note(read, of: CCURLOPT_READFUNCTION)
        let seek = ccurl_set_seek_callback(easy) { context, offset, origin in
            let hasSought =
                origin == SEEK_SET && CurlTransfer.transfer(at: context).upload?.seek(to: Int(offset)) == true
            return Int32(hasSought ? CCURL_SEEKFUNC_OK : CCURL_SEEKFUNC_FAIL)
        }
        handle.note(seek, of: CCURLOPT_SEEKFUNCTION)
        guard LibraryVersion.current.asksBeforeSending else { return }
        handle.set(CCURLOPT_PREREQDATA, context: Unmanaged.passUnretained(handle).toOpaque())
        let ask = ccurl_set_prerequest_callback(easy) { context, remote, local, remotePort, localPort in
            let connection = ConnectionID(remote: remote, remotePort: remotePort, local: local, localPort: localPort)
            let mayBeSent = CurlTransfer.transfer(at: context).connectionStands(connection)
            return Int32(mayBeSent ? CCURL_PREREQFUNC_OK : CCURL_PREREQFUNC_ABORT)
        }
        handle.note(ask, of: CCURLOPT_PREREQFUNCTION)
    }

    /// Makes libcurl request the trailer fields after a body.
    static func sendTrailers(by handle: CurlHandle) {
        let result = ccurl_set_trailer_callback(handle.easy) { list, context in
            guard let lines = CurlTransfer.transfer(at: context).upload?.trailerLines() else {
                return Int32(CCURL_TRAILERFUNC_ABORT)
            }
            for line in lines { list?.pointee = ccurl_list_append(list?.pointee, line) ?? list?.pointee }
            return Int32(CCURL_TRAILERFUNC_OK)
        }
        handle.note(result, of: CCURLOPT_TRAILERFUNCTION)
    }

    /// Sets the callback for what libcurl logs while ``CurlHandle/isLogged`` is `true`.
    private static func prepareLog(of handle: CurlHandle, _ context: UnsafeMutableRawPointer) {
        let result = ccurl_set_log_callback(
            handle.easy,
            { _, kind, text, size, context in
                if kind == CCURLINFO_DATA_IN {
                    CurlHandle.at(context).transfer?.receive(chunked: size)
                } else if ccurl_is_goaway(kind, text, size) {
                    CurlHandle.at(context).transfer?.serverSentGoAway()
                }
                return 0
            }, context)
        handle.note(result, of: CCURLOPT_DEBUGFUNCTION)
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
