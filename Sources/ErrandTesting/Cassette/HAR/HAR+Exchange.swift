import Errand

extension HAR.Request {
    /// Creates an entry's request from a request, including its secrets.
    init(_ request: URLRequest, body: Data?, bodySize: Int? = nil) {
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map { HAR.Pair($0.key, $0.value) }
        let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
        let size = bodySize ?? body?.count ?? 0
        self.init(
            method: request.httpMethod ?? "GET", url: request.url?.absoluteString ?? "", headers: fields,
            postData: body.flatMap { $0.isEmpty ? nil : HAR.PostData($0, mimeType: type) }, bodySize: size)
        if let body, size > body.count {
            postData?.comment = "the first \(body.count) of \(size) bytes"
        }
    }
}

extension HAR.Response {
    /// Creates an entry's response from a response, including its secrets.
    ///
    /// - Parameter size: The number of bytes of the body, if the response has only its beginning.
    init(_ response: DataResponse, to request: URLRequest, limit: Int, size: Int? = nil) {
        let size = size ?? response.data.count
        let headers = response.headers.map { HAR.Pair($0.name, $0.value) }
        let body = Data(response.data.prefix(limit))
        var content = HAR.Content(body, mimeType: response.headers["Content-Type"] ?? "")
        if size > body.count {
            content.size = size
            content.cut = .limit
            content.comment = "the first \(body.count) of \(size) bytes"
        }
        var onWire = size
        if response.headers["Content-Encoding"] != nil {
            onWire = response.headers["Content-Length"].flatMap { Int($0) } ?? -1
            content.compression =
                onWire < 0 ? nil : size.subtractingReportingOverflow(onWire).partialValue
        }
        self.init(status: response.statusCode, headers: headers, content: content, bodySize: onWire)
        if let place = response.url?.absoluteString, place != request.url?.absoluteString { url = place }
        if let name = response.metrics?.protocolName { httpVersion = Self.versions[name] ?? name }
    }

    private static let versions = ["http/1.0": "HTTP/1.0", "http/1.1": "HTTP/1.1", "h2": "HTTP/2", "h3": "HTTP/3"]
}

extension HAR.Entry {
    /// Adds the metrics of a transport.
    ///
    /// - Parameter duration: The seconds from the request to the end of the response, if there are no metrics.
    mutating func add(_ metrics: TransferMetrics?, duration: TimeInterval) {
        guard let metrics else {
            // A clock that a test sets may have any date.
            timings.receive = (0...1e9).contains(duration) ? (duration * 1_000_000).rounded() / 1000 : 0
            time = timings.total
            return
        }
        timings = HAR.Timings(metrics)
        time = timings.total
        request.httpVersion = response.httpVersion
        serverIPAddress = metrics.remoteAddress.flatMap { address in
            let host = address.lastIndex(of: ":").map { address[..<$0] } ?? address[...]
            return String(host.filter { $0 != "[" && $0 != "]" })
        }
    }

    /// Returns a date in ISO 8601, in UTC and with milliseconds; the beginning of 1970 if its year does not have four
    /// digits.
    static func text(of date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        let isWritable = (-62_135_596_800_000.0..<253_402_300_800_000.0).contains(milliseconds)
        // The style cuts off what is below a millisecond, and a `Date` can be a little smaller than its text.
        let rounded = Date(timeIntervalSince1970: isWritable ? (milliseconds + 0.1) / 1000 : 0)
        return rounded.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
