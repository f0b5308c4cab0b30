import Foundation

// peers get|typed PEER URL CONCURRENCY COUNT    PEER: errand, errand-executor, async-http-client, urlsession, libcurl
// peers download PEER URL
// peers decode|encode PEER FILE COUNT           PEER: errand, foundation; the file's name selects the type
// peers pipeline PEER COUNT                     PEER: errand, opencombine
//
// PEERS_AUTHORITY names a PEM file to trust, PEERS_HTTP2 enables HTTP/2, and PEERS_GZIP requests gzip. Each call prints
// one line of JSON.

struct Usage: Error, CustomStringConvertible {
    var description: String {
        "peers: unknown job, peer or number: \(CommandLine.arguments.dropFirst().joined(separator: " "))"
    }
}

func number(_ index: Int) throws -> Int {
    guard CommandLine.arguments.indices.contains(index), let number = Int(CommandLine.arguments[index]) else {
        throw Usage()
    }
    return number
}

let words = CommandLine.arguments
guard words.count > 3 else { throw Usage() }
let (job, peer, subject) = (words[1], words[2], words[3])
switch job {
case "get", "typed":
    guard let url = URL(string: subject) else { throw Usage() }
    try await Load(url: url, isTyped: job == "typed").run(peer, concurrency: number(4), count: number(5))
case "download":
    guard let url = URL(string: subject) else { throw Usage() }
    try await Load(url: url, isTyped: false).download(peer)
case "decode", "encode":
    try runJSON(job, peer, URL(fileURLWithPath: subject), count: number(4))
case "pipeline":
    try await runPipeline(peer, count: number(3))
default:
    throw Usage()
}
