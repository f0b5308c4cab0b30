public import Errand

extension HAR {
    /// A request with its response or failure.
    public struct Entry: Codable, Hashable, Sendable {
        /// The page that the request belongs to.
        public var pageref: String?
        /// The time when the request was sent, in ISO 8601.
        public var startedDateTime: String
        /// The total duration, in milliseconds.
        public var time: Double
        /// The request.
        public var request: Request
        /// The response; empty with status 0 if the request failed.
        public var response: Response
        /// The state of a cache, which is ignored.
        public var cache: Cache
        /// The phases of the duration.
        public var timings: Timings
        /// The IP address of the server, without the port.
        public var serverIPAddress: String?
        /// An identifier of the connection.
        public var connection: String?
        /// A comment.
        public var comment: String?
        /// The failure of the request or of its response body; written under the custom key `_error`.
        public var error: Failure?
        /// The places of the values that a cassette has replaced or removed; written under the custom key `_redacted`.
        public var redacted: [RedactedValue]?

        /// Creates an entry.
        public init(
            startedDateTime: String, request: Request, response: Response = .none, timings: Timings = Timings()
        ) {
            self.startedDateTime = startedDateTime
            self.request = request
            self.response = response
            self.timings = timings
            time = timings.total
            cache = Cache()
        }

        /// Decodes an entry; only the request and the response are required.
        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            pageref = fields.text(.pageref)
            startedDateTime = fields.text(.startedDateTime) ?? ""
            time = (try? fields.decodeIfPresent(Double.self, forKey: .time)) ?? 0
            request = try fields.decode(Request.self, forKey: .request)
            response = try fields.decode(Response.self, forKey: .response)
            cache = Cache()
            timings = (try? fields.decodeIfPresent(Timings.self, forKey: .timings)) ?? Timings()
            serverIPAddress = fields.text(.serverIPAddress)
            connection = fields.text(.connection)
            comment = fields.text(.comment)
            error = try? fields.decodeIfPresent(Failure.self, forKey: .error)
            redacted = try? fields.decodeIfPresent([RedactedValue].self, forKey: .redacted)
        }

        private enum CodingKeys: String, CodingKey {
            case pageref, startedDateTime, time, request, response, cache, timings, serverIPAddress, connection, comment
            case error = "_error"
            case redacted = "_redacted"
        }
    }

    /// The state of a cache; always empty.
    public struct Cache: Codable, Hashable, Sendable {
        /// Creates an empty value.
        public init() {}
    }

    /// The failure of a request.
    public struct Failure: Codable, Hashable, Sendable {
        /// The code of a `URLError`.
        public var code: Int
        /// The meaning of the code in words.
        public var meaning: String

        /// Creates a failure with a code.
        public init(_ code: URLError.Code) {
            self.code = code.rawValue
            // Foundation's texts for codes differ between platforms; these are the same on all.
            meaning = code.meaning
        }
    }
}

extension HAR.Entry {
    /// Returns this entry without the bodies whose media types are not kept. Their sizes and types remain.
    func keepingBodies(_ keeps: (_ mimeType: String) -> Bool) -> HAR.Entry {
        var kept = self
        if response.content.size > 0, !keeps(response.content.mimeType) {
            var body = response.content
            (body.text, body.encoding, body.comment) = (nil, nil, "not recorded")
            if body.cut == .limit { body.cut = nil }
            kept.response.content = body
        }
        let type = request.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
        if request.bodySize > 0, !keeps(type) {
            var body = HAR.PostData(Data(), mimeType: type)
            (body.text, body.params, body.comment) = (nil, nil, "not recorded")
            kept.request.postData = body
        }
        return kept
    }
}
