import Errand

// errand-bench http URL CONCURRENCY COUNT --transport curl|urlsession --executor shared|transport
//                                         --observers none|silent|summary
// errand-bench decode FILE COUNT --coder errand|foundation      FILE: users.json or another document
// errand-bench encode FILE COUNT --coder errand|foundation
// errand-bench shape NAME decode|encode COUNT --coder errand|foundation
// errand-bench shapes                                                the names of the shapes
// errand-bench pipeline COUNT
// errand-bench stub COUNT
// errand-bench main-actor BYTES
// errand-bench origins URL COUNT
// errand-bench websocket URL COUNT --executor shared|transport
// errand-bench download URL
// errand-bench upload URL BYTES
//
// Each call prints one JSON line; `shapes` prints a name on each line.

do {
    try await Job(arguments: Array(CommandLine.arguments.dropFirst())).run()
} catch {
    FileHandle.standardError.write(Data("errand-bench: \(error)\n".utf8))
    exit(64)
}
