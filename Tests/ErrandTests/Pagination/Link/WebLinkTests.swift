import Testing

@testable import Errand

struct `Links in header fields` {
    let base = URL(string: "https://api.example.com/v1/users?page=1#top")

    private func links(_ values: String...) -> [WebLink] {
        HeaderFields(values.map { HeaderFields.Field("link", $0) }).webLinks(relativeTo: base)
    }

    private func next(_ value: String) -> String? {
        HeaderFields([HeaderFields.Field("link", value)]).link("next", relativeTo: base)?.absoluteString
    }

    @Test func `several links are parsed from one Link field and from repeated fields`() {
        let links = links(
            #"<https://a.example/1>; rel="next", <https://a.example/2>;rel=last"#, "<https://a.example/3>; rel=prev")
        #expect(links.map(\.target) == ["https://a.example/1", "https://a.example/2", "https://a.example/3"])
        #expect(links.map(\.relations) == [["next"], ["last"], ["prev"]])
    }

    @Test(arguments: [
        ("<?page=2>; rel=next", "https://api.example.com/v1/users?page=2"),
        ("</v2/x>; rel=next", "https://api.example.com/v2/x"),
        ("<more/2>; rel=next", "https://api.example.com/v1/more/2"),
        ("<../x>; rel=next", "https://api.example.com/x"),
        ("<//b.example/x>; rel=next", "https://b.example/x"),
        ("<HTTPS://b.example/x#part>; rel=next", "HTTPS://b.example/x"),
        ("<>; rel=next", "https://api.example.com/v1/users?page=1"),
        ("<?a=1,2;b=3&c=%2C>; rel=next", "https://api.example.com/v1/users?a=1,2;b=3&c=%2C"),
        ("<?f[a]=1&q=a%20b>; rel=next", "https://api.example.com/v1/users?f%5Ba%5D=1&q=a%20b"),
        ("<https://b.example/%2Fé?%2F#%20|>; rel=next", "https://b.example/%2F%C3%A9?%2F"),
    ])
    func `link targets are resolved against the URL of the response`(_ value: String, _ target: String) {
        #expect(next(value) == target)
    }

    @Test(arguments: [
        "</x>;rel=next", "</x>;REL=NEXT", #"</x> ; rel = "next""#, #"</x>; rel="prev next last""#,
        #"</x>; rel="prev  Next""#, #"</x>; title="a, <b>; rel=prev"; rel=next"#,
        #"</x>; title="\"; rel=prev"; rel=next"#,
        #"</x>; rel="n\ext""#, "</x>; crossorigin; rel=next", "</x>;;; rel=next;", "</x>; =y; rel=next",
        #"</x>; rel=next; rel=prev"#, "\t</x>\t;\trel\t=\tnext\t", #"</x>; title*=UTF-8'de'n%c3%a4; rel=next"#,
        #"</x>; rel="next"#, #"</x>; rel="next"junk; a=b"#, "</x> junk; rel=next",
    ])
    func `a link is parsed in every valid spelling`(_ value: String) {
        #expect(next(value) == "https://api.example.com/x")
    }

    @Test(arguments: [
        "nonsense, </x>; rel=next", #"; rel=next, "</y>; rel=next", </x>; rel=next"#, ",,, </x>; rel=next,",
        "</y, </x>; rel=next", #"junk "a, </y>; rel=next; ", </x>; rel=next"#,
        #"</y> "b, </y>; rel=next; ", </x>; rel=next"#, "<</x>; rel=next", "</y>, </x>; rel=next",
        "</y>; rel=, </x>; rel=next",
        #"</y>; rel="", </x>; rel=next"#,
    ])
    func `a link after malformed text is parsed`(_ value: String) {
        #expect(next(value) == "https://api.example.com/x")
    }

    @Test(arguments: [
        "", "<", ">", "<>", "</x", "</x; rel=next", "</x>", "</x>; rel", "</x>; rel=", "</x>; rel=nextpage",
        "</x>; rev=next", #"</x>; title="rel=next""#, "</x>; rel=prev; rel=next", "x; rel=next", ";", ",", "\"", "\\",
        #"</x>; anchor="/other"; rel=next"#,
    ])
    func `malformed text and links with another relation or anchor are ignored`(_ value: String) {
        #expect(next(value) == nil)
    }

    @Test func `a link is found by its relation in any case`() {
        let headers = HeaderFields([
            HeaderFields.Field("Link", "</2>; rel=next"), HeaderFields.Field("Link", "</9>; rel=\"Last next\""),
        ])
        #expect(headers.link("LAST", relativeTo: base)?.absoluteString == "https://api.example.com/9")
        #expect(headers.link("next", relativeTo: base)?.absoluteString == "https://api.example.com/2")
        #expect(headers.link("prev", relativeTo: base) == nil)
        #expect(headers.link("", relativeTo: base) == nil)
    }

    @Test(arguments: ["", "?page=1", "https://api.example.com/v1/users?page=1", "#top"])
    func `a link whose anchor is the response itself is accepted`(_ anchor: String) {
        #expect(next("</x>; anchor=\"\(anchor)\"; rel=next") == "https://api.example.com/x")
    }

    @Test func `link parameters are kept in order`() {
        let parameters = links(#"</x>; Rel=next; title="one \"two\""; flag"#).first?.parameters
        #expect(parameters?.map(\.name) == ["rel", "title", "flag"])
        #expect(parameters?.map(\.value) == ["next", #"one "two""#, ""])
    }

    @Test func `a link with an invalid target URL is parsed without a URL`() {
        let link = links("<http://[>; rel=next").first
        #expect(link?.target == "http://[")
        #expect(link != nil && link?.url(relativeTo: base) == nil)
        #expect(next("<http://[>; rel=next") == nil)
    }

    @Test func `a hundred thousand open brackets are parsed without a link`() {
        #expect(next(String(repeating: "<,", count: 100_000)) == nil)
        #expect(next(String(repeating: "<a>;\"", count: 100_001)) == nil)
    }
}
