import Errand

/// The arguments that were not read yet.
struct ArgumentWords {
    private var words: ArraySlice<String>

    init(_ arguments: [String]) {
        let split = arguments.flatMap { argument in
            guard argument.hasPrefix("--") else { return [argument] }
            return argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        words = split[...]
    }

    mutating func next() -> String? {
        words.popFirst()
    }

    /// A number that is at least 1.
    mutating func count(for option: String) throws(UsageError) -> Int {
        let text = try value(for: option)
        guard let count = Int(text), count > 0 else {
            throw UsageError("\(option) takes a whole number above zero, not \"\(text)\"")
        }
        return count
    }

    mutating func port(for option: String) throws(UsageError) -> UInt16 {
        let text = try value(for: option)
        guard let port = UInt16(text), port > 0 else {
            throw UsageError("\(option) takes a number from 1 to 65535, not \"\(text)\"")
        }
        return port
    }

    /// The error does not quote the value, because a URL may contain a password.
    mutating func url(for option: String) throws(UsageError) -> URL {
        let text = try value(for: option)
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            let host = url.host, !host.isEmpty
        else { throw UsageError("\(option) takes an http or https URL, such as http://127.0.0.1:8080") }
        return url
    }

    mutating func digest(for option: String) throws(UsageError) -> FileDigest {
        let text = try value(for: option)
        guard let digest = try? FileDigest(.sha256, hex: text) else {
            throw UsageError("\(option) takes 64 hexadecimal digits")
        }
        return digest
    }

    mutating func value(for option: String) throws(UsageError) -> String {
        guard let value = next(), !value.hasPrefix("--") else { throw UsageError("\(option) needs a value") }
        return value
    }
}
