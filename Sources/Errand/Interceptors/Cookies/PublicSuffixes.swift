/// Domains under which anyone can register a name, such as `com`, `co.uk` and `github.io`. A cookie cannot be set for
/// all of their subdomains (RFC 6265bis, section 5.7).
///
/// Browsers use the public suffix list, which has about 10,000 entries and changes weekly. This type uses a short rule
/// instead. A domain is a public suffix if it is:
///
/// - a domain without a dot: `com`, `dev`, `localhost`;
/// - a common second level below a country code: `co.uk`, `com.au`, `or.jp`, `gov.br`;
/// - a common hosting service that gives each customer a subdomain: `github.io`, `herokuapp.com`, `web.app`;
/// - a domain that you add.
///
/// ```swift
/// let jar = CookieJar(publicSuffixes: ["customers.example.com"])
/// ```
public struct PublicSuffixes: Hashable, Sendable, ExpressibleByArrayLiteral {
    private let added: Set<String>

    /// Creates the rule with additional domains.
    ///
    /// - Parameter domains: Domains in any case, without a leading dot.
    public init(adding domains: some Sequence<String>) {
        added = Set(domains.map { $0.lowercased() })
    }

    /// Creates the rule with additional domains; `[]` adds none.
    public init(arrayLiteral domains: String...) {
        self.init(adding: domains)
    }

    /// Returns `true` if a domain is a public suffix. The domain may be in any case and have a trailing dot, but no
    /// leading dot.
    public func contains(_ domain: String) -> Bool {
        var domain = domain.lowercased()
        if domain.hasSuffix(".") { domain.removeLast() }
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count < 2 || added.contains(domain) || Self.hosting.contains(domain) { return true }
        return labels.count == 2 && labels[1].utf8.count == 2 && Self.secondLevels.contains(String(labels[0]))
    }

    /// Returns the registered domain above or equal to this one: its public suffix and one more label. Returns a public
    /// suffix or an IP address unchanged.
    func site(of domain: String) -> String {
        guard !CookieTarget.isAddress(domain), !contains(domain) else { return domain }
        var site = domain[...]
        while let dot = site.firstIndex(of: "."), !contains(String(site[site.index(after: dot)...])) {
            site = site[site.index(after: dot)...]
        }
        return String(site)
    }

    private static let secondLevels: Set<String> = [
        "ac", "co", "com", "edu", "gen", "go", "gob", "gouv", "gov", "govt", "ltd", "me", "mil", "muni", "ne",
        "net", "nhs", "nom", "or", "org", "plc", "sch", "school",
    ]

    private static let hosting: Set<String> = [
        "amplifyapp.com", "appspot.com", "azurestaticapps.net", "azurewebsites.net", "blogspot.com", "cloudfront.net",
        "deno.dev", "elasticbeanstalk.com", "firebaseapp.com", "fly.dev", "github.io", "gitlab.io", "herokuapp.com",
        "netlify.app", "ngrok.app", "ngrok.io", "onrender.com", "pages.dev", "railway.app", "repl.co", "run.app",
        "s3.amazonaws.com", "surge.sh", "trycloudflare.com", "vercel.app", "web.app", "workers.dev",
    ]
}
