import Errand

/// A document that is decoded and encoded many times, by Errand and by Foundation.
struct JSONLoad {
    enum Coder: String {
        case errand, foundation
    }

    enum Job: String {
        case decode, encode
    }

    let job: Job
    let coder: Coder

    /// Returns how many bytes were decoded or encoded.
    ///
    /// - Parameter file: A document whose name determines its type. With an unknown name, it is a ``JSONValue``.
    func run(_ file: URL, count: Int) throws -> Int {
        let document = try Data(contentsOf: file)
        return switch file.deletingPathExtension().lastPathComponent {
        case "users": try run([User].self, document, count)
        case "orders": try run([Order].self, document, count)
        case "tracks": try run([Track].self, document, count)
        case "feed": try run(Feed.self, document, count)
        default: try run(JSONValue.self, document, count)
        }
    }

    private func run<Value: Codable>(_ type: Value.Type, _ document: Data, _ count: Int) throws -> Int {
        let value = try FastJSONDecoder().decode(type, from: document)
        var bytes = 0
        for _ in 0..<count {
            switch (job, coder) {
            case (.decode, .errand): _ = try FastJSONDecoder().decode(type, from: document)
            case (.decode, .foundation): _ = try JSONDecoder().decode(type, from: document)
            case (.encode, .errand): bytes += try FastJSONEncoder().encode(value).count
            case (.encode, .foundation): bytes += try JSONEncoder().encode(value).count
            }
        }
        return job == .decode ? document.count * count : bytes
    }
}

// MARK: The types of the documents

private struct User: Codable {
    struct Address: Codable {
        struct Position: Codable { var lat, lng: String }
        var street, suite, city, zipcode: String
        var geo: Position
    }
    struct Company: Codable { var name, catchPhrase, bs: String }
    var id: Int
    var name, username, email: String
    var address: Address
    var phone, website: String
    var company: Company
}

private struct Order: Codable {
    struct Line: Codable {
        var sku, name: String
        var quantity: Int
        var price: Double
    }
    enum Status: String, Codable { case open, paid, sent }
    var id: Int
    var number: String
    var customerId: Int
    var status: Status
    var express: Bool
    var note: String?
    var total: Double
    var lines: [Line]
}

private struct Track: Codable {
    var name: String
    var points: [[Double]]
}

private struct Feed: Codable {
    struct Author: Codable {
        var login: String
        var url: URL
    }
    struct Item: Codable {
        var id, createdAt: String
        var author: Author
        var title, body: String
        var labels: [String]
    }
    var items: [Item]
    var next: String?
}
