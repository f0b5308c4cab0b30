import Errand
import Testing

struct `A URL from received text` {
    @Test(
        arguments: [
            // The query.
            ("/x?filter[state]=open&q=a%20b", "/x?filter%5Bstate%5D=open&q=a%20b"),
            ("/x?q=%22a b%22", "/x?q=%22a%20b%22"), ("/x?q=a%20b&r={1}", "/x?q=a%20b&r=%7B1%7D"),
            ("/x?q=%E9|%e9", "/x?q=%E9%7C%e9"), ("?a b%20", "?a%20b%20"), ("?a?b/c@d:e", "?a?b/c@d:e"),
            ("?q=<>\"\\^`%3C", "?q=%3C%3E%22%5C%5E%60%3C"),
            // The path.
            ("/a%20b c", "/a%20b%20c"), ("/d%2Fe|f", "/d%2Fe%7Cf"), ("/a%2Fb/é", "/a%2Fb/%C3%A9"),
            ("/caf%C3%A9/é", "/caf%C3%A9/%C3%A9"), ("/a;b=c%2Cd,e|", "/a;b=c%2Cd,e%7C"), ("/x[1]%5B", "/x%5B1%5D%5B"),
            ("/\u{301}%20", "/%CC%81%20"), ("/a\nb%0A", "/a%0Ab%0A"), ("/\u{1F6A2}%F0%9F", "/%F0%9F%9A%A2%F0%9F"),
            ("./a:b|%20", "./a:b%7C%20"), ("a b%20", "a%20b%20"), ("/\\evil%20", "/%5Cevil%20"),
            // A percent sign that begins no escape.
            ("/100%/a%20b", "/100%25/a%20b"), ("/100%", "/100%25"), ("/%zz%20", "/%25zz%20"), ("/%2", "/%252"),
            ("/%%20", "/%25%20"), ("/%E9%", "/%E9%25"), ("?q=%&r=%26", "?q=%25&r=%26"),
            ("/%\u{660}0%20", "/%25%D9%A00%20"),
            ("#%|%7C", "#%25%7C%7C"),
            // The fragment.
            ("/x#f r%20", "/x#f%20r%20"), ("#a#b%20|", "#a%23b%20%7C"), ("/%20|?%20|#%20|", "/%20%7C?%20%7C#%20%7C"),
            ("/x#\u{301}%20", "/x#%CC%81%20"), ("/x#?a[b]%20", "/x#?a%5Bb%5D%20"),
            // The authority.
            ("http://us%40er:p|w@host/a", "http://us%40er:p%7Cw@host/a"),
            ("http://us er%20:p%20w[@h/", "http://us%20er%20:p%20w%5B@h/"), ("http://a%20@b@c/", "http://a%20%40b@c/"),
            ("HTTP://H/%7euser|", "HTTP://H/%7euser%7C"),
            ("http://ex%41mple.com/a%20b|", "http://ex%41mple.com/a%20b%7C"),
            ("http://h?a%20b|", "http://h?a%20b%7C"), ("http://h#a%20b|", "http://h#a%20b%7C"),
            ("http://[::1%25lo]:80/a|%20", "http://[::1%25lo]:80/a%7C%20"),
            ("http://u%20|@[fe80::1%25e]/%20|", "http://u%20%7C@[fe80::1%25e]/%20%7C"),
            ("http://[::1]/a[b]%20", "http://[::1]/a%5Bb%5D%20"), ("//[::1]/a[b]%20", "//[::1]/a%5Bb%5D%20"),
            ("//other/a%20b|", "//other/a%20b%7C"),
            ("http://café.example/a%20b|", "http://xn--caf-dma.example/a%20b%7C"),
            ("/a//b:[c]%20", "/a//b:%5Bc%5D%20"), ("?u=http://[::1]/%20", "?u=http://%5B::1%5D/%20"),
            ("/x?u=https://a@b/[c]%20#d", "/x?u=https://a@b/%5Bc%5D%20#d"),
            // Other schemes.
            ("mailto:a b%20c", "mailto:a%20b%20c"), ("data:text/plain,a b%20c", "data:text/plain,a%20b%20c"),
            // Nothing to do.
            ("https://u:p@h:8080/a;b=c,d/e~f?g=h&i='j'()*+!$#k", "https://u:p@h:8080/a;b=c,d/e~f?g=h&i='j'()*+!$#k"),
            ("/a%20b?c%2Fd#e%25", "/a%20b?c%2Fd#e%25"), ("http:", "http:"), ("#", "#"), ("?", "?"),
        ] as [(String, String)])
    func `only what is not allowed in a URL is escaped, and only once`(_ text: String, _ url: String) throws {
        let made = try #require(URL(lenient: text))
        #expect(made.absoluteString == url)
        #expect(URLComponents(lenient: text)?.string == url)
        #expect(URL(lenient: url) == made)
        #expect(URL(lenient: url)?.absoluteString == url)
    }

    @Test(arguments: [
        ("/b%20c|", "http://h.example/b%20c%7C"), ("b[c]%5B", "http://h.example/dir/b%5Bc%5D%5B"),
        ("?q=a%20b&r=[1]", "http://h.example/dir/page?q=a%20b&r=%5B1%5D"),
        ("#a%20b|", "http://h.example/dir/page?x=1#a%20b%7C"),
        ("//other/%20|", "http://other/%20%7C"), ("../%2E%2e/|", "http://h.example/%2E%2e/%7C"),
        ("https://h.example/%20|", "https://h.example/%20%7C"), ("/x", "http://h.example/x"),
    ])
    func `a relative text is resolved`(_ text: String, _ url: String) throws {
        let base = try #require(URL(string: "http://h.example/dir/page?x=1"))
        let made = try #require(URL(lenient: text, relativeTo: base))
        #expect(made.absoluteString == url)
        #expect(made.baseURL == nil)
    }

    @Test(arguments: ["", "http://ho st/", "http://[::1/", "http://host:ab/", " http://h/", "1:b|%20"])
    func `a text that is not a URL even with escapes is refused`(_ text: String) {
        #expect(URL(lenient: text) == nil)
    }

    /// The examples of the guides and of other clients agree where nothing is escaped already.
    @Test(arguments: ["/x?f[a]=1", "/a b", "/é?é#é", "http://us er@h/|", "/100%", "#a#b", "http://[fe80::1]/|"])
    func `text without escapes is the same URL as with Foundation`(_ text: String) {
        #expect(URL(lenient: text) == URL(string: text))
    }
}
