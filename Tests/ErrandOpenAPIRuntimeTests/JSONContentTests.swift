import ErrandOpenAPIRuntime
import Foundation
import Testing

@Suite struct JSONContentTests {
    /// The text of the member `v`, and of the member `i` of `v`, as a union sees it.
    private struct Seen: Decodable {
        let text: String?
        let inner: String?

        init(from decoder: any Decoder) throws {
            let content = JSONContent(decoder)
            text = content.text(of: "v")
            inner = content.text(of: "v", "i")
        }
    }

    @Test(arguments: [
        (#"{"v": "a"}"#, "a"), (#"{"v": 1}"#, "1"), (#"{"v": 1.0}"#, "1"), (#"{"v": -1.50}"#, "-1.5"),
        (#"{"v": true}"#, "true"), (#"{"v": null}"#, nil), (#"{"v": [1]}"#, nil), ("{}", nil), ("1", nil),
    ])
    func `a text, a number or a Boolean has a text`(_ json: String, _ text: String?) throws {
        #expect(try FastJSONDecoder.openAPI.decode(Seen.self, from: Data(json.utf8)).text == text)
    }

    @Test(arguments: [
        (#"{"v": {"i": "a"}}"#, "a"), (#"{"v": {"i": 1}}"#, "1"), (#"{"v": {"i": null}}"#, nil), (#"{"v": {}}"#, nil),
        (#"{"v": "i"}"#, nil), (#"{"v": null}"#, nil), (#"{"v": [{"i": "a"}]}"#, nil), (#"{"i": "a"}"#, nil),
    ])
    func `a member of a member has a text`(_ json: String, _ text: String?) throws {
        #expect(try FastJSONDecoder.openAPI.decode(Seen.self, from: Data(json.utf8)).inner == text)
    }
}
