extension DataResponse {
    /// An answer whose head Foundation has read; it joins repeated fields and forgets their order.
    init(_ response: HTTPURLResponse, data: Data) {
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { HTTPHeaders.Field($0, "\(value)") }
        }
        self.init(
            statusCode: response.statusCode, headers: HTTPHeaders(fields.sorted { $0.name < $1.name }), data: data,
            url: response.url)
    }
}
