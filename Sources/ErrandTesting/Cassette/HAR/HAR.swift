import Errand

/// What was sent and what came back, in the HTTP Archive format (HAR) 1.2, which the developer tools of browsers write and
/// open.
///
/// ```swift
/// let archive = try HAR(contentsOf: file)
/// for entry in archive.log.entries { print(entry.request.method, entry.request.url, entry.response.status) }
/// ```
///
/// It reads what browsers write: keys that it does not know are left out, and of those that the format asks for only the ones
/// without which there is no request and no answer have to be there. Keys of its own begin with an underscore, as the
/// format has it.
public struct HAR: Codable, Hashable, Sendable {
    /// All of it.
    public var log: Log

    /// An archive of this log.
    public init(log: Log = Log()) {
        self.log = log
    }

    /// A log of requests and their answers.
    public struct Log: Codable, Hashable, Sendable {
        /// The version of the format.
        public var version = "1.2"
        /// Who wrote it.
        public var creator = Creator()
        /// The browser that sent the requests, where it was one.
        public var browser: Creator?
        /// The pages that the requests were sent for, where there were any.
        public var pages: [Page]?
        /// The requests, in the order in which they were sent.
        public var entries: [Entry] = []
        /// A remark.
        public var comment: String?

        /// A log of these entries.
        public init(entries: [Entry] = []) {
            self.entries = entries
        }

        /// Reads a log; only the entries have to be there.
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

        /// Errand.
        public init() {}

        /// A program.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    /// A page that a browser showed.
    public struct Page: Codable, Hashable, Sendable {
        /// What the entries of the page name it by.
        public var id: String
        /// The title.
        public var title: String?
        /// When it was asked for, in ISO 8601.
        public var startedDateTime: String?
    }

    /// A name and a value: a header field, an item of a query, a field of a form.
    public struct Pair: Codable, Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// A name and its value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        /// Reads a pair; one without a value has an empty one.
        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            name = try fields.decode(String.self, forKey: .name)
            value = (try? fields.decodeIfPresent(String.self, forKey: .value)) ?? ""
        }
    }
}

extension KeyedDecodingContainer {
    /// A whole number where there is one.
    func number(_ key: Key) -> Int? {
        if let number = try? decodeIfPresent(Int.self, forKey: key) { return number }
        return (try? decodeIfPresent(Double.self, forKey: key)).flatMap { Int(exactly: $0.rounded()) }
    }

    /// A text where there is one.
    func text(_ key: Key) -> String? {
        try? decodeIfPresent(String.self, forKey: key)
    }
}
