import Errand
import ErrandResilience
import TestSupport
import Testing

extension `httpbin` {
    struct `Cookies` {
        private struct Jar: Decodable, Sendable {
            var cookies: [String: String]
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `each cookie is received in its own Set-Cookie field`(_ transport: TransportUnderTest) async throws {
            let request = try WholeRequest("/cookies/set", transport.make())
            request.query = ["one": "1", "two": "a b"]
            request.redirectPolicy = .ignore
            request.accepted = 302..<303
            let fields = try await request.start().value.headers[values: "Set-Cookie"]
            #expect(fields == ["one=1; Path=/", "two=\"a b\"; Path=/"])
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a cookie set by the server is in the Set-Cookie field`(_ transport: TransportUnderTest) async throws {
            let request = try WholeRequest("/cookies/set/session/4711", transport.make())
            request.redirectPolicy = .ignore
            request.accepted = 302..<303
            #expect(try await request.start().value.headers[.setCookie] == "session=4711; Path=/")
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `the cookies of a request are sent in one Cookie field`(_ transport: TransportUnderTest) async throws {
            let request = try DocumentRequest<Jar>("/cookies", transport.make())
            request.headers.add("Cookie", "one=1; two=2")
            request.headers.add("Cookie", "three=3")
            #expect(try await request.start().value.cookies == ["one": "1", "two": "2", "three": "3"])
        }

        /// A request without a jar keeps no cookies.
        @Test(arguments: TransportUnderTest.allCases)
        func `cookies are not sent back without a cookie jar`(_ transport: TransportUnderTest) async throws {
            let session = transport.make()
            let setting = try DocumentRequest<Jar>("/cookies/set", session)
            setting.query = ["one": "1", "two": "2"]
            #expect(try await setting.start().value.cookies.isEmpty)
            #expect(try await DocumentRequest<Jar>("/cookies", session).start().value.cookies.isEmpty)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a deleted cookie is reported, and the request's own cookie is still sent`(
            _ transport: TransportUnderTest
        ) async throws {
            let session = transport.make()
            let deleting = try WholeRequest("/cookies/delete", session)
            deleting.query = ["one": ""]
            deleting.headers[.cookie] = "one=1"
            deleting.redirectPolicy = .ignore
            deleting.accepted = 302..<303
            let field = try #require(try await deleting.start().value.headers[.setCookie])
            #expect(field.contains("one=;") && field.contains("Max-Age=0"))
            deleting.redirectPolicy = .follow
            deleting.accepted = 200..<201
            #expect(try await deleting.start().decode(Jar.self).value.cookies == ["one": "1"])
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a cookie jar sends the cookies of a redirect to its target and later requests`(
            _ transport: TransportUnderTest
        ) async throws {
            let session = transport.make()
            let jar = CookieJar()
            func cookies(_ path: RequestPath, _ query: URLQuery = [:]) async throws -> [String: String] {
                let request = try DocumentRequest<Jar>(path, session)
                request.query = query
                request.interceptors = [jar]
                return try await request.start().value.cookies
            }
            #expect(try await cookies("/cookies/set", ["one": "1", "two": "a b"]) == ["one": "1", "two": "a b"])
            #expect(try await cookies("/cookies/set/session/4711") == ["one": "1", "two": "a b", "session": "4711"])
            #expect(try await cookies("/cookies/delete", ["one": ""]) == ["two": "a b", "session": "4711"])
            #expect(try await cookies("/cookies") == ["two": "a b", "session": "4711"])
            #expect(jar.cookies.map(\.name) == ["two", "session"])
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `two cookie jars do not share their cookies`(_ transport: TransportUnderTest) async throws {
            let session = transport.make()
            for name in ["ursula", "karel"] {
                let jar = CookieJar()
                let request = try DocumentRequest<Jar>("/cookies/set/user/\(name)", session)
                request.interceptors = [jar, Coalescing()]
                #expect(try await request.start().value.cookies == ["user": name])
                #expect(jar.cookies.map(\.value) == [name])
            }
        }
    }
}
