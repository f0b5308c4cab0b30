import Errand

// The design document's example, with only `import Errand`. The test is that it compiles in Swift 6 mode.

struct User: Codable, Equatable {
    var id: Int
    var name: String
}

class PlaceholderAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "https://jsonplaceholder.typicode.com")
    }

    override func buildURLRequest() throws -> URLRequest {
        var request = try super.buildURLRequest()
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        return request
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest()
            .validateStatusCode(in: 200..<300)
            .hasContentType("application/json")
    }
}

final class UsersRequest: PlaceholderAPI, Request {
    override init() {
        super.init()
        path = "/users"
    }

    func start() -> Pipeline<[User], any Error> {
        sendRequest().decode([User].self)
    }
}

extension APIService<any Error> {
    static var placeholder: APIService {
        APIService(
            baseURL: "https://staging.example.com/api", headers: ["Accept": "text/plain", "X-Tenant": "blue"])
    }
}
