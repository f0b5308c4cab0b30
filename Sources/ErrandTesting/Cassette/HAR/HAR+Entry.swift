public import Errand

extension HAR {
    /// A request and what came of it.
    public struct Entry: Codable, Hashable, Sendable {
        /// The page it was sent for.
        public var pageref: String?
        /// When it was sent, in ISO 8601.
        public var startedDateTime: String
        /// How long all of it took, in milliseconds.
        public var time: Double
        /// What was sent.
        public var request: Request
        /// What came back; of a request that failed an empty one with status 0.
        public var response: Response
        /// What a cache had, which is not looked at.
        public var cache: Cache
        /// Where the time went.
        public var timings: Timings
        /// The address of the server, without the port.
        public var serverIPAddress: String?
        /// What tells connections apart.
        public var connection: String?
        /// A remark.
        public var comment: String?
        /// Why no whole answer came; a key of our own, `_error`.
        public var error: Failure?
        /// The places of the values that a cassette has replaced or left out; a custom key, `_redacted`.
        public var redacted: [RedactedValue]?

        /// A request and its answer.
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

        /// Reads an entry; only the request and the answer have to be there.
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

    /// What a cache had: nothing is said.
    public struct Cache: Codable, Hashable, Sendable {
        /// Nothing.
        public init() {}
    }

    /// Why no whole answer came.
    public struct Failure: Codable, Hashable, Sendable {
        /// The code of a `URLError`.
        public var code: Int
        /// What that means, in words.
        public var meaning: String

        /// A failure with this code.
        public init(_ code: URLError.Code) {
            self.code = code.rawValue
            // Foundation's own words for a code differ between platforms; these are the same on all.
            meaning = code.meaning
        }
    }
}
