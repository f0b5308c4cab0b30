import Errand

/// An Apache in one process, with a directory that accepts files from the user of its Digest challenge:
/// `ursula`, whose password is `hunter2`.
struct Apache: Sendable {
    let directory: TemporaryDirectory
    private let process: ServerProcess
    private let port: UInt16

    init() async throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        // If root starts Apache, it runs as another user, who must be able to write there.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory.url.path)
        // The MD5 of user, realm and password, as `htdigest` writes it.
        try directory.write(Data("ursula:library:0b6e5c1bd9b83dc80335618b7c1eabed\n".utf8), to: "users")
        (process, port) = try await ServerProcess.onFreePort(.apache2, readyWhen: "start_threads") {
            port in
            let file = try directory.write(Self.configuration(port, in: directory), to: "httpd.conf")
            return ["-X", "-d", directory.url.path, "-f", file]
        }
    }

    /// - Throws: `URLError` if the path is not valid in a URL.
    func url(_ path: String = "/") throws -> URL { try URL.of("http://127.0.0.1:\(port)\(path)") }

    private static let modules = [
        "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_digest", "dav", "dav_fs",
    ]

    private static func configuration(_ port: UInt16, in directory: TemporaryDirectory) -> Data {
        let modules = modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }
        let text = """
            \(modules.joined(separator: "\n"))
            ServerName 127.0.0.1
            Listen 127.0.0.1:\(port)
            User www-data
            Group www-data
            PidFile \(directory.path("pid"))
            DefaultRuntimeDir \(directory.url.path)
            ErrorLog /dev/stderr
            LogLevel warn mpm_event:debug
            DavLockDB \(directory.path("locks"))
            DocumentRoot \(directory.url.path)
            <Directory \(directory.url.path)>
            Dav On
            AuthType Digest
            AuthName library
            AuthDigestProvider file
            AuthUserFile \(directory.path("users"))
            Require valid-user
            </Directory>

            """
        return Data(text.utf8)
    }
}
