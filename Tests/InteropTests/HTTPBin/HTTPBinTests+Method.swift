import Errand
import TestSupport
import Testing

extension `httpbin` {
    struct `Methods, URLs and header fields` {
        @Test(arguments: TransportUnderTest.allCases, [RequestMethod.get, .post, .put, .patch, .delete])
        func `each method reaches the endpoint of its name`(
            _ transport: TransportUnderTest, _ method: RequestMethod
        ) async throws {
            let request = try EchoRequest("/\(method.rawValue.lowercased())", transport.make())
            request.method = method
            let echo = try await request.start().value
            #expect(echo.url == "\(try HTTPBin.shared.url.absoluteString)/\(method.rawValue.lowercased())")
            #expect(echo.origin == "127.0.0.1")
            #expect(echo.data.isEmpty)
        }

        @Test(arguments: TransportUnderTest.allCases, [RequestMethod.get, .post, .put, .patch, .delete, "TRACE"])
        func `a catch-all endpoint receives the request's method`(
            _ transport: TransportUnderTest, _ method: RequestMethod
        ) async throws {
            let request = try EchoRequest("/anything", transport.make())
            request.method = method
            #expect(try await request.start().value.method == method.rawValue)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a HEAD response has the Content-Length, and the connection is reused`(
            _ transport: TransportUnderTest
        ) async throws {
            let session = transport.make()
            let request = try WholeRequest("/image/png", session)
            request.method = .head
            let head = try await request.start().value
            #expect(head.data.isEmpty)
            let whole = try await WholeRequest("/image/png", session).start().value
            #expect(head.headers[.contentLength] == "\(whole.data.count)")
            if transport == .curl { #expect(whole.metrics?.isConnectionReused == true) }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `an OPTIONS response lists the allowed methods`(_ transport: TransportUnderTest) async throws {
            let request = try WholeRequest("/put", transport.make())
            request.method = .options
            let allowed = try #require(try await request.start().value.headers[.allow])
            #expect(Set(allowed.split(separator: ",").map { $0.drop { $0 == " " } }) == ["OPTIONS", "PUT"])
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `an unsupported method fails with the list of allowed methods`(
            _ transport: TransportUnderTest
        ) async throws {
            let request = try EchoRequest("/get", transport.make())
            request.method = .delete
            let error = await expectFailure(.unacceptableStatusCode) { try await request.start().value }
            #expect(error?.statusCode == 405)
            #expect(error?.headers[.allow]?.contains("GET") == true)
            #expect(error?.method == .delete)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a query is received unchanged with repeated names and reserved characters`(
            _ transport: TransportUnderTest
        ) async throws {
            let request = try EchoRequest("/get", transport.make())
            let reserved = "a b+c&d=e/f?g#h[i]@j!k$l'm(n)o*p,q;r:s%t\"u<v>w\\x^y`z{|}~ü🙂"
            request.query = ["tag": ["one", "two two", "1+1=2"], reserved: reserved, "empty": "", "page": 2]
            let echo = try await request.start().value
            #expect(
                echo.args == [
                    "tag": ["one", "two two", "1+1=2"], reserved: [reserved], "empty": [""], "page": ["2"],
                ])
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a value in the path stays one segment`(_ transport: TransportUnderTest) async throws {
            let value = "grüße? #1 & a;b=c"
            let echo = try await EchoRequest("/anything/\(value)/end", transport.make()).start().value
            #expect(echo.args.isEmpty)
            let path = try #require(echo.url.removingPercentEncoding)
            #expect(path.hasSuffix("/anything/\(value)/end"))
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `header fields are received, repeated ones as a list`(_ transport: TransportUnderTest) async throws {
            let request = try EchoRequest("/get", transport.make())
            request.headers = [.userAgent: "Shelf/1.0", .acceptLanguage: "gsw", "X-Empty": ""]
            request.headers.add("X-Tag", "one")
            request.headers.add("X-Tag", "two, three")
            let echo = try await request.start().map { $0.headers }.value
            #expect(echo[.userAgent] == "Shelf/1.0")
            #expect(echo[.acceptLanguage] == "gsw")
            #expect(echo["X-Tag"] == "one, two, three")
            #expect(echo[.cookie] == nil)
            #expect(echo[.authorization] == nil)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `the server receives the client's address and user agent`(_ transport: TransportUnderTest) async throws {
            let session = transport.make()
            let origin = try await DocumentRequest<[String: String]>("/ip", session).start().value
            #expect(origin == ["origin": "127.0.0.1"])
            let request = try DocumentRequest<[String: String]>("/user-agent", session)
            request.headers[.userAgent] = "Shelf/1.0 (a test)"
            #expect(try await request.start().value == ["user-agent": "Shelf/1.0 (a test)"])
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `each start of a request sends it again`(_ transport: TransportUnderTest) async throws {
            let request = try DocumentRequest<[String: UUID]>("/uuid", transport.make())
            let pipeline = request.start()
            let first = try await pipeline.value["uuid"]
            let second = try await pipeline.value["uuid"]
            #expect(first != nil && second != nil && first != second)
        }
    }
}
