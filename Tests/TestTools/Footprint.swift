import Foundation

/// The descriptors and threads of this process, as Linux reports them.
///
/// Other tests of the same process open descriptors too, so this is used in exit tests, which run in a separate
/// process.
public enum Footprint {
    /// Whether this system reports them.
    public static let isKnown = FileManager.default.fileExists(atPath: "/proc/self/task")

    /// Whether the resident memory is what a process allocates. The sanitizers of addresses and threads add their own.
    public static let measuresMemory =
        isKnown && dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil

    /// The system's names of all sockets and pipes of this process, and of each epoll and event descriptor of an
    /// engine, numbered. The runtime opens other descriptors too.
    public static func descriptors() throws -> Set<String> {
        let directory = "/proc/self/fd"
        let links = try FileManager.default.contentsOfDirectory(atPath: directory).compactMap { descriptor in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\(descriptor)")
        }
        let named = links.filter { $0.hasPrefix("socket:") || $0.hasPrefix("pipe:") }
        let nameless = ["anon_inode:[eventpoll]", "anon_inode:[eventfd]"].flatMap { kind in
            (0..<links.count(where: { $0 == kind })).map { "\(kind) \($0)" }
        }
        return Set(named + nameless)
    }

    /// The descriptors at the start of a measurement. The main thread opens some when it first waits for
    /// work.
    public static func initialDescriptors() async throws -> Set<String> {
        await MainActor.run {}
        return try descriptors()
    }

    /// The number of threads with a name.
    public static func threads(named name: String) throws -> Int {
        let directory = "/proc/self/task"
        return try FileManager.default.contentsOfDirectory(atPath: directory).count { thread in
            (try? String(contentsOfFile: "\(directory)/\(thread)/comm", encoding: .utf8)) == "\(name)\n"
        }
    }

    /// The maximum number of bytes that the system buffers for a connection, in the receiver's and the sender's buffer
    /// together.
    public static var mostSocketBytes: Int {
        ["tcp_rmem", "tcp_wmem"].reduce(0) { sum, name in
            let limits = try? String(contentsOfFile: "/proc/sys/net/ipv4/\(name)", encoding: .utf8)
            return sum + (limits?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 16 << 20)
        }
    }

    /// The resident memory of the process in bytes.
    public static func residentBytes() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }
}
