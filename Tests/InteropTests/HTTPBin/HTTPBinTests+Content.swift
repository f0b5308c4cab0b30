import Errand
import TestSupport
import Testing

extension `httpbin` {
    struct `Response bodies` {
        /// The members of a compressed document that describe it.
        private struct Coded: Decodable, Sendable {
            var gzipped: Bool?
            var deflated: Bool?
            var brotli: Bool?
            var method: String
            var headers: [String: String]

            var flags: [Bool?] { [gzipped, deflated, brotli] }
        }

        /// The content coding that the client accepts.
        private static let codings: [(path: String, flags: [Bool?])] = [
            ("gzip", [true, nil, nil]), ("deflate", [nil, true, nil]), ("brotli", [nil, nil, true]),
        ]

        @Test(arguments: TransportUnderTest.allCases, codings)
        func `a compressed response is decoded`(
            _ transport: TransportUnderTest, _ coding: (path: String, flags: [Bool?])
        ) async throws {
            let document = try await DocumentRequest<Coded>("/\(coding.path)", transport.make()).start().value
            #expect(document.flags == coding.flags)
            #expect(document.method == "GET")
            let accepted = try #require(document.headers["Accept-Encoding"])
            for name in ["gzip", "deflate", "br"] { #expect(accepted.contains(name)) }
        }

        @Test(arguments: TransportUnderTest.allCases, codings)
        func `a compressed stream is decoded`(
            _ transport: TransportUnderTest, _ coding: (path: String, flags: [Bool?])
        ) async throws {
            let stream = try PiecesRequest("/\(coding.path)", transport.make()).startStream()
            let whole = try await stream.reduce(into: Data()) { $0 += $1 }
            #expect(try JSONDecoder().decode(Coded.self, from: whole).flags == coding.flags)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `UTF-8 text is decoded`(_ transport: TransportUnderTest) async throws {
            let response = try await WholeRequest("/encoding/utf8", transport.make()).start()
                .hasContentType("text/html").value
            let text = try response.text()
            for line in ["∀x∈ℝ: ⌈x⌉ = −⌊−x⌋", "ሰማይ አይታረስ ንጉሥ አይከሰስ።", "Οὐχὶ ταὐτὰ παρίσταταί μοι", "STARGΛ̊TE"] {
                #expect(text.contains(line))
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a document has its content type and is rejected under another`(
            _ transport: TransportUnderTest
        ) async throws {
            let session = transport.make()
            let documents: [(path: RequestPath, type: ContentType, mark: String)] = [
                ("/xml", .xml, "<slideshow"), ("/html", .html, "<h1>Herman Melville - Moby-Dick</h1>"),
                ("/robots.txt", .plainText, "Disallow: /deny"), ("/deny", .plainText, "YOU SHOULDN'T BE HERE"),
                ("/json", .json, "\"slideshow\""), ("/forms/post", .html, "<form"),
            ]
            for (path, type, mark) in documents {
                let response = try await WholeRequest(path, session).start().hasContentType(type).value
                #expect(try response.text().contains(mark))
                let other: ContentType = type == .json ? .plainText : .json
                let error = await expectFailure(.unacceptableContentType) {
                    try await WholeRequest(path, session).start().hasContentType(other).value
                }
                #expect(error?.statusCode == 200)
                #expect(error.map { String(decoding: $0.bodyPrefix, as: UTF8.self).contains(mark) } == true)
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `an invalid JSON response fails with its location`(_ transport: TransportUnderTest) async throws {
            let request = try WholeRequest("/xml", transport.make())
            let error = await expectFailure(.decodingFailed) { try await request.start().decode(Echo.self).value }
            #expect(error?.underlyingError is DecodingError)
            let other = try WholeRequest("/uuid", transport.make())
            let missing = await expectFailure(.decodingFailed) { try await other.start().decode(Book.self).value }
            #expect(missing?.reason?.contains("title") == true)
        }

        private static let images: [(name: String, type: ContentType, start: [UInt8])] = [
            ("png", .png, [0x89, 0x50, 0x4E, 0x47]), ("jpeg", .jpeg, [0xFF, 0xD8, 0xFF]),
            ("webp", .webp, Array("RIFF".utf8)), ("svg", .svg, Array("<svg".utf8)),
        ]

        @Test(arguments: TransportUnderTest.allCases, images)
        func `an image is received byte for byte by its path and by its type`(
            _ transport: TransportUnderTest, _ image: (name: String, type: ContentType, start: [UInt8])
        ) async throws {
            let session = transport.make()
            let direct = try await WholeRequest("/image/\(image.name)", session).start()
                .hasContentType(image.type).value
            #expect(direct.data.starts(with: image.start))
            #expect(direct.headers[.contentLength] == "\(direct.data.count)")
            let wanted = try WholeRequest("/image", session)
            wanted.headers[.accept] = ContentType.accept(image.type)
            let negotiated = try await wanted.start().value
            #expect(negotiated.headers.contentType == image.type)
            #expect(negotiated.data == direct.data)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `an unavailable content type fails with the list of available types`(
            _ transport: TransportUnderTest
        ) async throws {
            struct Refusal: Decodable, Sendable {
                var accept: [String]
            }
            let request = try WholeRequest("/image", transport.make())
            request.headers[.accept] = "image/x-none"
            let error = await expectFailure(.unacceptableStatusCode) {
                try await request.start().decodeError(Refusal.self).value
            }
            #expect(error?.statusCode == 406)
            #expect(error?.payload(as: Refusal.self)?.accept.contains("image/webp") == true)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a link is followed from page to page`(_ transport: TransportUnderTest) async throws {
            let session = transport.make()
            let response = try await WholeRequest("/links/3", session).start().value
            #expect(response.url?.path == "/links/3/0")
            #expect(try response.text().contains("<a href='/links/3/2'>2</a>"))
            let next = try await WholeRequest("/links/3/2", session).start().value
            #expect(try next.text().contains("<a href='/links/3/0'>0</a>"))
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a value in the path is percent-encoded and decoded by the server`(
            _ transport: TransportUnderTest
        ) async throws {
            let text = "grüß Gott, 100 %"
            let value = Data(text.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_")
            #expect(try await WholeRequest("/base64/\(value)", transport.make()).start().value.text() == text)
        }
    }
}
