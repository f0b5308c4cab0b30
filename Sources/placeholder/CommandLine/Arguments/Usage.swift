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
          --user ID          only the members that belong to a user
          --json             the server's JSON instead of a table; other output goes to standard error
          --cache            stores responses on the disk, and prints the source of each response on
                             standard error: network, hit, revalidated, or stale if no server responds

        The commands:
          browse             one page at a time: return shows the next page, which is already loaded,
                             and q ends; without a terminal, each line of the input shows a page
          login              seven calls with a token that is valid for three, and refreshed
          flaky              one request to a server that often fails, with its retries and waits
          chat               sends each line of the input over a WebSocket, and prints the responses
          watch              prints what is created, changed and deleted; to have something to show,
                             it makes some changes itself, unless --base-url names a service

          download           downloads a file of the server, such as numbers.txt; the next run resumes
                             a download that was interrupted or killed
          upload             uploads a file under its own name

          --output FILE      the file that download writes; by default, its own name in this directory
          --sha256 DIGITS    the expected digest of the file
          --page-size COUNT  the number of members on a page of browse; 10 by default
          --count COUNT      the number of changes after which watch ends

        The options:
          --base-url URL     the service; by default, the program starts one on the loopback interface
          --port PORT        the port of that service: by default any free port, and 18617 for --cache,
                             so that the next run finds the stored responses
          --verbose          prints each request as a curl command too, without secrets
          -h, --help         prints this text

        The environment:
          PLACEHOLDER_TOKEN     a bearer token for all requests except those of login
          PLACEHOLDER_NAME      the user of login, for the service of --base-url
          PLACEHOLDER_PASSWORD  the password of that user
          PLACEHOLDER_CACHE     the directory of --cache; by default errand-placeholder in the
                                user's caches directory

        The exit status is 64 if the command line is invalid, 65 if a response cannot be read, 69 if
        there is no response, and 1 for any other failure.
        """
}
