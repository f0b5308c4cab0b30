extension Invocation {
    /// What `--help` prints.
    static let usage = """
        usage: placeholder [--base-url URL] [--verbose] [--timings]
               placeholder COLLECTION [--id ID | --user ID] [--json] [--base-url URL]
                           [--verbose] [--timings]
               placeholder watch [--count N] [--base-url URL] [--verbose]

        A client of a JSONPlaceholder-shaped API, written with Errand. Without a collection it shows
        every kind of request once.

        COLLECTION is users, posts, comments, todos, albums or photos. With watch it shows changes as
        they happen, and makes some itself where nobody else can.

          --id ID         one member of the collection
          --user ID       what belongs to one user
          --count N       ends after so many changes
          --json          the server's JSON instead of a table; all else goes to standard error
          --base-url URL  a service of your own; otherwise one is started on the loopback
          --verbose       each request as a curl command too, secrets hidden
          --timings       where the time of each request went, drawn as a waterfall
          -h, --help      this text

        The environment:
          COLUMNS            the width of the terminal, 100 unless it says otherwise
          PLACEHOLDER_TOKEN  sent as a bearer token

        It exits with 64 when the command line is wrong, 65 when an answer cannot be read, 69 when
        no answer comes, and 1 for any other failure.
        """
}
