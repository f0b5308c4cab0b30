/// The object of the class hierarchy that a declarative request is sent by.
final class DeclaredRequest<Declaration: DeclarativeRequest>: APIBase, Request {
    private let declaration: Declaration

    init(_ declaration: Declaration, stub: Pipeline<DataResponse, any Error>?) {
        self.declaration = declaration
        super.init()
        method = declaration.method
        wholeURL = declaration.url
        path = declaration.path
        query = declaration.query
        if let page = declaration.page { ask(for: page) }
        headers = declaration.defaultHeaders.merging(declaration.headers)
        body = declaration.body
        cachePolicy = declaration.cachePolicy
        timeoutInterval = declaration.timeoutInterval
        resourceTimeout = declaration.resourceTimeout
        maximumBodySize = declaration.maximumBodySize
        redirectPolicy = declaration.redirectPolicy
        priority = declaration.priority
        dataTaskPipeline = stub
    }

    override func buildURLRequest() throws -> URLRequest {
        try declaration.validate()
        var request = try super.buildURLRequest()
        try declaration.prepare(&request)
        return request
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest().validateStatusCode(in: declaration.acceptedStatusCodes)
    }

    func start() -> Pipeline<Declaration.Output, any Error> {
        sendRequest().tryMap { [declaration] in try declaration.decode($0) }
    }
}
