#if canImport(CCurl)
import CCurl

// The callbacks of a handle. Their context is the handle, because its transfer changes.
extension CurlHandle {
    private static let contextOptions = [
        CCURLOPT_PRIVATE, CCURLOPT_WRITEDATA, CCURLOPT_HEADERDATA, CCURLOPT_READDATA, CCURLOPT_SEEKDATA,
        CCURLOPT_TRAILERDATA,
    ]

    /// Sets the callbacks of a new handle.
    func prepareCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in Self.contextOptions { set(option, context: context) }
        prepareReceiving()
        prepareSending(context)
        prepareLog(context)
    }

    private func prepareReceiving() {
        let head = ccurl_set_data_callback(easy, Int32(CCURLOPT_HEADERFUNCTION)) { bytes, size, count, context in
            let line = UnsafeBufferPointer(bytes, count: size * count)
            return CurlHandle.transfer(at: context).receive(line: line) ? line.count : 0
        }
        note(head, of: CCURLOPT_HEADERFUNCTION)
        let body = ccurl_set_data_callback(easy, Int32(CCURLOPT_WRITEFUNCTION)) { bytes, size, count, context in
            let piece = UnsafeBufferPointer(bytes, count: size * count)
            return switch CurlHandle.transfer(at: context).receive(piece) {
            case .taken: piece.count
            case .notYet: Int(CCURL_WRITEFUNC_PAUSE)
            // Any other count than the offered one ends the transfer. For an empty piece, 0 would not.
            case .refused: piece.count + 1
            }
        }
        note(body, of: CCURLOPT_WRITEFUNCTION)
    }

    private func prepareSending(_ context: UnsafeMutableRawPointer) {
        let read = ccurl_set_data_callback(easy, Int32(CCURLOPT_READFUNCTION)) { bytes, size, count, context in
            let room = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return switch CurlHandle.transfer(at: context).read(into: room) {
            case .bytes(let count): count
            case .nothingYet: Int(CCURL_READFUNC_PAUSE)
            case .failed: Int(CCURL_READFUNC_ABORT)
            }
        }
        note(read, of: CCURLOPT_READFUNCTION)
        let seek = ccurl_set_seek_callback(easy) { context, offset, origin in
            let upload = CurlHandle.transfer(at: context).exchange.upload
            let hasSought = origin == SEEK_SET && upload?.seek(to: Int(offset)) == true
            return Int32(hasSought ? CCURL_SEEKFUNC_OK : CCURL_SEEKFUNC_FAIL)
        }
        note(seek, of: CCURLOPT_SEEKFUNCTION)
        guard !CurlLibrary.current.has(.sendsUnasked) else { return }
        set(CCURLOPT_PREREQDATA, context: context)
        let ask = ccurl_set_prerequest_callback(easy) { context, remote, local, remotePort, localPort in
            let connection = ConnectionID(remote: remote, remotePort: remotePort, local: local, localPort: localPort)
            let mayBeSent = CurlHandle.transfer(at: context).connected(over: connection)
            return Int32(mayBeSent ? CCURL_PREREQFUNC_OK : CCURL_PREREQFUNC_ABORT)
        }
        note(ask, of: CCURLOPT_PREREQFUNCTION)
    }

    /// Makes libcurl request the trailer fields after a body.
    func sendTrailers() {
        let result = ccurl_set_trailer_callback(easy) { list, context in
            let lines = CurlHandle.transfer(at: context).exchange.upload?.trailerLines
            for line in lines ?? [] { list?.pointee = ccurl_list_append(list?.pointee, line) ?? list?.pointee }
            return Int32(CCURL_TRAILERFUNC_OK)
        }
        note(result, of: CCURLOPT_TRAILERFUNCTION)
    }

    /// Sets the callback for what libcurl logs while ``isLogged`` is `true`.
    private func prepareLog(_ context: UnsafeMutableRawPointer) {
        let result = ccurl_set_log_callback(
            easy,
            { _, kind, text, size, context in
                guard let transfer = CurlHandle.at(context).transfer else { return 0 }
                if kind == CCURLINFO_HEADER_IN {
                    transfer.check(loggedLine: text.map { UInt8(bitPattern: $0.pointee) })
                } else if kind == CCURLINFO_DATA_IN {
                    transfer.receive(chunked: size)
                } else if ccurl_is_goaway(kind, text, size) {
                    transfer.serverSentGoAway()
                }
                return 0
            }, context)
        note(result, of: CCURLOPT_DEBUGFUNCTION)
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
