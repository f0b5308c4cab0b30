extension Invocation {
    /// The text that `--help` prints.
    static let usage = """
        usage: placeholder [OPTIONS]
               placeholder COLLECTION [--id ID | --user ID] [--json] [--cache] [OPTIONS]
               placeholder browse COLLECTION [--page-size COUNT] [OPTIONS]
               placeholder login [OPTIONS]
               placeholder flaky [OPTIONS]
               placeholder download NAME [--output FILE] [--sha256 DIGITS] [OPTIONS]
               placeholder upload FILE [OPTIONS]
               placeholder watch [--count COUNT] [OPTIONS]
               placeholder chat [OPTIONS]

        A client of a JSONPlaceholder-shaped API, written with Errand. Without a collection or a
        command it shows every kind of request once.

        COLLECTION is users, posts, comments, todos, albums or photos.

          --id ID            one member of the collection
          --user ID          what belongs to one user
          --json             the server's JSON instead of a table; all else goes to standard error
          --cache            keeps answers on the disk, and says on standard error where each came
                             from: network, hit, revalidated, or stale where no server answers

        The commands:
          browse             one page at a time: return shows the next, which is there already, and
                             q ends; unless a terminal is the input, each line of it shows a page
          login              seven calls with a token that is good for three, and refreshed
          flaky              one request to a server that fails in turn, with its retries and waits
          chat               each line of the input over a WebSocket, and what the other side answers
          watch              what is created, changed and deleted, as it happens; to have something
                             to show, it makes some changes itself, unless the service is your own

          download           a file of the server, which has numbers.txt; what broke off, or was
                             killed, goes on with the next run
          upload             a file of yours, under its own name

          --output FILE      where download puts the file, otherwise here under its own name
          --sha256 DIGITS    what the file has to hash to
          --page-size COUNT  how many browse shows at once, 10 unless it says otherwise
          --count COUNT      after how many changes watch ends

        The options:
          --base-url URL     a service of your own; otherwise one is started on the loopback
          --port PORT        where that one is: at any port that is free, but at 18617 for --cache,
                             so that the next run finds what this one stored
          --verbose          each request as a curl command too, secrets hidden
          --timings          where the time of each request went, drawn as a waterfall
          -h, --help         this text

        The environment:
          COLUMNS               the width of the terminal, 100 unless it says otherwise
          PLACEHOLDER_TOKEN     sent as a bearer token, but by login
          PLACEHOLDER_NAME      who logs in, and
          PLACEHOLDER_PASSWORD  with what password, for a service of your own
          PLACEHOLDER_CACHE     the directory of --cache; otherwise errand-placeholder among the
                                user's caches

        It exits with 64 when the command line is wrong, 65 when an answer cannot be read, 69 when
        no answer comes, and 1 for any other failure.
        """
}
