#if canImport(Darwin)
/// The identifier of the system's current boot; `nil` if the system has none. A download that began before a boot
/// is not resumed.
let systemBootSession: String? = {
    var text = [CChar](repeating: 0, count: 64)
    var count = text.count
    guard sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0) == 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}()
#else
/// The identifier of the system's current boot; `nil` if the system has none. A download that began before a boot
/// is not resumed.
let systemBootSession = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
    .trimmingCharacters(in: .whitespacesAndNewlines)
#endif
