import Errand

/// Requests and responses in the HTTP Archive format (HAR) 1.2, which the developer tools of browsers read and write.
///
/// ```swift
/// let archive = try HAR(contentsOf: file)
/// for entry in archive.log.entries { print(entry.request.method, entry.request.url, entry.response.status) }
/// ```
///
/// It reads files that browsers write. Unknown keys are ignored, and only the keys that a request and a response need
/// are required. Custom keys begin with an underscore, as the format prescribes.
public struct HAR: Codable, Hashable, Sendable {
    /// The log.
    public var log: Log

    /// Creates an archive.
    public init(log: Log = Log()) {
        self.log = log
    }

    /// A log of requests and their responses.
    public struct Log: Codable, Hashable, Sendable {
        /// The version of the format.
        public var version = "1.2"
        /// The program that wrote the log.
        public var creator = Creator()
        /// The browser that sent the requests, if any.
        public var browser: Creator?
        /// The pages that the requests belong to, if any.
        public var pages: [Page]?
        /// The requests, in the order in which they were sent.
        public var entries: [Entry] = []
        /// A comment.
        public var comment: String?

        /// Creates a log.
        public init(entries: [Entry] = []) {
            self.entries = entries
        }

        /// Decodes a log; only the entries are required.
        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            version = (try? fields.decodeIfPresent(String.self, forKey: .version)) ?? "1.2"
            creator = (try? fields.decodeIfPresent(Creator.self, forKey: .creator)) ?? Creator(name: "", version: "")
            browser = try? fields.decodeIfPresent(Creator.self, forKey: .browser)
            pages = try? fields.decodeIfPresent([Page].self, forKey: .pages)
            entries = try fields.decode([Entry].self, forKey: .entries)
            comment = try? fields.decodeIfPresent(String.self, forKey: .comment)
        }
    }

    /// A program and its version.
    public struct Creator: Codable, Hashable, Sendable {
        /// The name.
        public var name = "Errand"
        /// The version.
        public var version = "1.0"

        /// Creates a value for Errand.
        public init() {}

        /// Creates a value for another program.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    /// A page that a browser showed.
    public struct Page: Codable, Hashable, Sendable {
        /// The identifier by which entries refer to the page.
        public var id: String
        /// The title.
        public var title: String?
        /// The time when the page was requested, in ISO 8601.
        public var startedDateTime: String?
    }

    /// A name and a value: a header field, a query item or a form field.
    public struct Pair: Codable, Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a pair.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        /// Decodes a pair; a missing value is empty.
        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            name = try fields.decode(String.self, forKey: .name)
            value = (try? fields.decodeIfPresent(String.self, forKey: .value)) ?? ""
        }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a whole number; returns `nil` if it is missing or invalid.
    func number(_ key: Key) -> Int? {
        if let number = try? decodeIfPresent(Int.self, forKey: key) { return number }
        return (try? decodeIfPresent(Double.self, forKey: key)).flatMap { Int(exactly: $0.rounded()) }
    }

    /// Decodes a string; returns `nil` if it is missing or invalid.
    func text(_ key: Key) -> String? {
        try? decodeIfPresent(String.self, forKey: key)
    }
}
