import Errand

func configure(_ request: BooksRequest, _ companyAuthority: Data) {
    var configuration = CurlConfiguration()
    configuration.tls.additionalAuthorities = companyAuthority
    configuration.proxy = .none
    configuration.maximumConnectionsPerHost = 20
    request.session = CurlTransport(configuration)
}
