import Errand
import TestSupport

extension CurlTestCommand {
    /// Returns the requests of the command, which share a transport and a jar.
    ///
    /// - Throws: ``Excluded`` for a URL that is not replayed.
    func requests(jar: CookieJar) throws -> [CurlTestRequest] {
        for cookie in cookieFiles.flatMap({ NetscapeCookie.all(in: $0) }) {
            let (field, url) = cookie.setting
            if let url = URL(string: url) { try? jar.setCookie(field, for: url) }
        }
        let transport = CurlTransport(try configuration())
        return try urls.map { text in
            let request = CurlTestRequest(session: transport)
            request.url = try url(text)
            try fill(request)
            request.interceptors = try interceptors(jar)
            return request
        }
    }

    private func configuration() throws -> CurlConfiguration {
        var configuration = CurlConfiguration()
        configuration.resolvedHosts = resolved
        configuration.proxy = .none
        guard let proxy, !proxy.isEmpty else { return configuration }
        let text = proxy.contains("://") ? proxy : "http://\(proxy)"
        guard text.hasPrefix("http://"), let url = URL(string: text) else { throw Excluded("a proxy that is not HTTP") }
        let pair = proxyUser?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        configuration.proxy = .server(url, user: pair?.first, password: pair?.dropFirst().first, except: noProxy)
        return configuration
    }

    private func url(_ text: String) throws -> URL? {
        if text.contains(#/[{}\[\]]/#) { throw Excluded("URL globbing") }
        var text = text.contains("://") ? text : "http://\(text)"
        if !text.lowercased().hasPrefix("http://") { throw Excluded("another scheme than http") }
        if let name = upload?.name, text.hasSuffix("/") { text += name }
        if movesDataToQuery, !data.isEmpty {
            text += (text.contains("?") ? "&" : "?") + data.joined(separator: "&")
        }
        let url = URL(string: text)
        let host = url?.host() ?? ""
        let isLocal = host == "127.0.0.1" || resolved["\(host):\(url?.port ?? 80)"] != nil
        if !isLocal, proxy == nil, url != nil { throw Excluded("a host that is not the server") }
        return url
    }

    private func fill(_ request: CurlTestRequest) throws {
        for field in headers { request.headers.add(field.name, field.value) }
        if !cookies.isEmpty { request.headers["Cookie"] = cookies.joined(separator: ";") }
        if let upload {
            request.method = .put
            let stream = BodyStream(InputStream(data: upload.body.latin1))
            let body = upload.name == nil ? RequestBody.stream(stream, type: nil) : .data(upload.body.latin1, type: nil)
            request.body = body.withAnyMethod()
        } else if !data.isEmpty, !movesDataToQuery {
            request.method = .post
            let type = dataType ?? "application/x-www-form-urlencoded"
            request.body = .data(data.joined(separator: "&").latin1, type: ContentType(type)).withAnyMethod()
        } else if isHead {
            request.method = .head
        }
        if let method { request.method = RequestMethod(rawValue: method) }
        request.redirectPolicy = followsRedirects ? .follow : .ignore
        request.maximumBodySize = maximumSize
        request.timeoutInterval = .hangGuard
        if fails { request.acceptedStatusCodes = StatusCodes(0..<400) }
    }

    private func interceptors(_ jar: CookieJar) throws -> [any Interceptor] {
        var interceptors: [any Interceptor] = keepsCookies ? [jar] : []
        if let bearer { interceptors.append(BearerAuthentication(token: bearer)) }
        if let user {
            let pair = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let password = pair.count > 1 ? pair[1] : ""
            if usesDigest {
                interceptors.append(DigestAuthentication(user: pair[0], password: password))
            } else {
                interceptors.append(BasicAuthentication(user: pair[0], password: password))
            }
        }
        return interceptors
    }
}

/// A request of a command of curl.
final class CurlTestRequest: APIBase, Request {
    init(session: CurlTransport) {
        super.init()
        self.session = session
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}
