import Foundation

/// Starts a program with these descriptors, numbered from 0, without other descriptors, and with no signal blocked.
///
/// - Throws: ``ChildProcess/Failure``.
func spawn(
    _ program: String, _ arguments: [String], environment: [String], descriptors: [Int32]
) throws -> pid_t {
    var (actions, attributes) = unprepared
    var flags = POSIX_SPAWN_SETSIGMASK
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_init(&attributes)
    posix_spawn_file_actions_init(&actions)
    defer {
        posix_spawnattr_destroy(&attributes)
        posix_spawn_file_actions_destroy(&actions)
    }
    posix_spawnattr_setsigmask(&attributes, &signals)
    for (number, descriptor) in descriptors.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    try keepFromProgram(from: Int32(descriptors.count), &actions, &flags)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var id: pid_t = 0
    let code = withCStrings([program] + arguments) { arguments in
        withCStrings(environment) { posix_spawn(&id, program, &actions, &attributes, arguments, $0) }
    }
    guard code == 0 else { throw ChildProcess.Failure(operation: "posix_spawn", code: code) }
    return id
}

private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
) rethrows -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return try body(copies + [nil])
}

#if canImport(Darwin)
private typealias SpawnActions = posix_spawn_file_actions_t?
private typealias SpawnAttributes = posix_spawnattr_t?
private var unprepared: (SpawnActions, SpawnAttributes) { (nil, nil) }

private func keepFromProgram(from first: Int32, _ actions: inout SpawnActions, _ flags: inout Int32) throws {
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
}
#else
private typealias SpawnActions = posix_spawn_file_actions_t
private typealias SpawnAttributes = posix_spawnattr_t
private var unprepared: (SpawnActions, SpawnAttributes) { (SpawnActions(), SpawnAttributes()) }

/// A function of the C library (glibc since 2.34) that Swift does not import.
private func keepFromProgram(from first: Int32, _ actions: inout SpawnActions, _ flags: inout Int32) throws {
    typealias AddCloseFrom = @convention(c) (UnsafeMutablePointer<SpawnActions>, Int32) -> Int32
    guard let function = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else {
        throw ChildProcess.Failure(operation: "posix_spawn_file_actions_addclosefrom_np", code: ENOSYS)
    }
    _ = unsafeBitCast(function, to: AddCloseFrom.self)(&actions, first)
}
#endif
