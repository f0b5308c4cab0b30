import Errand

/// Decodes or encodes a document this many times: with Errand's defaults, or with Foundation's coders.
func runJSON(_ job: String, _ peer: String, _ file: URL, count: Int) throws {
    let data = try Data(contentsOf: file)
    let name = file.deletingPathExtension().lastPathComponent
    switch name {
    case "users": try runJSON([User].self, "\(job)-\(name)", peer, data, count)
    case "orders": try runJSON([Order].self, "\(job)-\(name)", peer, data, count)
    case "tracks": try runJSON([Track].self, "\(job)-\(name)", peer, data, count)
    case "feed": try runJSON(Feed.self, "\(job)-\(name)", peer, data, count)
    default: throw Usage()
    }
}

private func runJSON<Value: Codable & Sendable & SendableMetatype>(
    _ type: Value.Type, _ job: String, _ peer: String, _ data: Data, _ count: Int
) throws {
    let value = try JSONDecoder().decode(type, from: data)
    let response = DataResponse(statusCode: 200, headers: ["Content-Type": "application/json"], data: data)
    let request = APIBase()
    request.baseURL = URL(string: "http://127.0.0.1")
    request.method = .post
    request.body = .json(value)
    let measurement = Measurement(job, peer)
    var bytes = 0
    for _ in 0..<count {
        switch (job.hasPrefix("decode"), peer) {
        case (true, "errand"):
            _ = try response.decode(type)
            bytes += data.count
        case (true, "foundation"):
            _ = try JSONDecoder().decode(type, from: data)
            bytes += data.count
        case (false, "errand"): bytes += try request.buildURLRequest().httpBody?.count ?? 0
        case (false, "foundation"): bytes += try JSONEncoder().encode(value).count
        default: throw Usage()
        }
    }
    measurement.finish(count: count, bytes: bytes)
}

struct User: Codable, Sendable {
    struct Address: Codable, Sendable {
        var street, suite, city, zipcode: String
        var geo: Geo
    }
    struct Geo: Codable, Sendable { var lat, lng: String }
    struct Company: Codable, Sendable { var name, catchPhrase, bs: String }

    var id: Int
    var name, username, email: String
    var address: Address
    var phone, website: String
    var company: Company
}

struct Order: Codable, Sendable {
    enum Status: String, Codable, Sendable { case open, paid, sent }
    struct Line: Codable, Sendable {
        var sku, name: String
        var quantity: Int
        var price: Double
    }

    var id: Int
    var number: String
    var customerId: Int
    var status: Status
    var express: Bool
    var note: String?
    var total: Double
    var lines: [Line]
}

struct Track: Codable, Sendable {
    var name: String
    var points: [[Double]]
}

struct Feed: Codable, Sendable {
    struct Author: Codable, Sendable {
        var login: String
        var url: URL
    }
    struct Item: Codable, Sendable {
        var id, createdAt: String
        var author: Author
        var title, body: String
        var labels: [String]
    }

    var items: [Item]
    var next: String?
}
