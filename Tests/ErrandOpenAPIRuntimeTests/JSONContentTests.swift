import ErrandOpenAPIRuntime
import Foundation
import Testing

@Suite struct JSONContentTests {
    /// The text of the member `v`, as a union sees it.
    private struct Seen: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            text = JSONContent(decoder).text(of: "v")
        }
    }

    @Test(arguments: [
        (#"{"v": "a"}"#, "a"), (#"{"v": 1}"#, "1"), (#"{"v": 1.0}"#, "1"), (#"{"v": -1.50}"#, "-1.5"),
        (#"{"v": true}"#, "true"), (#"{"v": null}"#, nil), (#"{"v": [1]}"#, nil), ("{}", nil), ("1", nil),
    ])
    func `a text, a number or a Boolean has a text`(_ json: String, _ text: String?) throws {
        #expect(try FastJSONDecoder.openAPI.decode(Seen.self, from: Data(json.utf8)).text == text)
    }
}
