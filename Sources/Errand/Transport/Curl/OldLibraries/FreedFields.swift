#if canImport(CCurl)
import CCurl

// libcurl 7.84 to 8.0 appends a folded line to the field before it. At the beginning of a head, that is the last field
// of the handle's previous transfer, which is freed, and the process crashes. libcurl does this before it reports the
// line as a part of the head, but it reports the line to its log first.
extension CurlTransfer {
    /// Makes libcurl report the next line of the head to its log, so that ``check(loggedLine:)`` sees it. Called after
    /// a status line.
    func checkNextLine() {
        guard CurlLibrary.current.has(.readsFreedFields), let handle, handle.wasUsed else { return }
        handle.checksNextLine = true
    }

    /// Checks a line before libcurl processes it, and ends the transfer if the line is folded onto a freed field.
    ///
    /// A report to the log cannot end a transfer. Therefore libcurl is paused, which keeps the line unprocessed, and
    /// the loop ends the transfer.
    func check(loggedLine first: UInt8?) {
        guard let handle, handle.checksNextLine else { return }
        handle.checksNextLine = false
        guard first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") else { return }
        exchange.failure = URLError(.cannotParseResponse)
        exchange.wishes.insert(.turn)
        ccurl_easy_pause(handle.easy, Int32(CCURLPAUSE_RECV))
        carryOutWishes()
    }
}
#endif
