import Errand

/// The functions of OpenSSL's libssl that the server uses, with their C names in Swift's spelling and their C types.
///
/// All of them exist in versions 1.1.1 and 3.
struct LibSSL: Sendable {
    typealias Object = OpaquePointer
    typealias VerifyCallback = @convention(c) @Sendable (Int32, Object?) -> Int32
    typealias ProtocolCallback =
        @convention(c) @Sendable (
            Object?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?,
            UInt32, UnsafeMutableRawPointer?
        ) -> Int32

    // The shared context of connections.
    let tlsServerMethod: @convention(c) @Sendable () -> Object?
    let sslCtxNew: @convention(c) @Sendable (Object?) -> Object?
    let sslCtxFree: @convention(c) @Sendable (Object?) -> Void
    let sslCtxCtrl: @convention(c) @Sendable (Object?, Int32, Int, UnsafeMutableRawPointer?) -> Int
    let sslCtxSetOptions: @convention(c) @Sendable (Object?, UInt64) -> UInt64
    let sslCtxSetNumTickets: @convention(c) @Sendable (Object?, UInt) -> Int32
    let sslCtxUseCertificate: @convention(c) @Sendable (Object?, Object?) -> Int32
    let sslCtxUsePrivateKey: @convention(c) @Sendable (Object?, Object?) -> Int32
    let sslCtxCheckPrivateKey: @convention(c) @Sendable (Object?) -> Int32
    let sslCtxSetAlpnSelectCb: @convention(c) @Sendable (Object?, ProtocolCallback?, UnsafeMutableRawPointer?) -> Void
    let sslCtxSetVerify: @convention(c) @Sendable (Object?, Int32, VerifyCallback?) -> Void
    let sslCtxGetCertStore: @convention(c) @Sendable (Object?) -> Object?
    let sslCtxAddClientCa: @convention(c) @Sendable (Object?, Object?) -> Int32

    // A connection.
    let sslNew: @convention(c) @Sendable (Object?) -> Object?
    let sslFree: @convention(c) @Sendable (Object?) -> Void
    let sslSetBio: @convention(c) @Sendable (Object?, Object?, Object?) -> Void
    let sslSetAcceptState: @convention(c) @Sendable (Object?) -> Void
    let sslRead: @convention(c) @Sendable (Object?, UnsafeMutableRawPointer?, Int32) -> Int32
    let sslWrite: @convention(c) @Sendable (Object?, UnsafeRawPointer?, Int32) -> Int32
    let sslShutdown: @convention(c) @Sendable (Object?) -> Int32
    let sslGetError: @convention(c) @Sendable (Object?, Int32) -> Int32
    let sslIsInitFinished: @convention(c) @Sendable (Object?) -> Int32
    let sslGetVersion: @convention(c) @Sendable (Object?) -> UnsafePointer<CChar>?
    let sslGetServername: @convention(c) @Sendable (Object?, Int32) -> UnsafePointer<CChar>?
    let sslGet1PeerCertificate: @convention(c) @Sendable (Object?) -> Object?

    init(_ library: SharedLibrary) throws(MockServerError) {
        tlsServerMethod = try library.function("TLS_server_method")
        sslCtxNew = try library.function("SSL_CTX_new")
        sslCtxFree = try library.function("SSL_CTX_free")
        sslCtxCtrl = try library.function("SSL_CTX_ctrl")
        sslCtxSetOptions = try library.function("SSL_CTX_set_options")
        sslCtxSetNumTickets = try library.function("SSL_CTX_set_num_tickets")
        sslCtxUseCertificate = try library.function("SSL_CTX_use_certificate")
        sslCtxUsePrivateKey = try library.function("SSL_CTX_use_PrivateKey")
        sslCtxCheckPrivateKey = try library.function("SSL_CTX_check_private_key")
        sslCtxSetAlpnSelectCb = try library.function("SSL_CTX_set_alpn_select_cb")
        sslCtxSetVerify = try library.function("SSL_CTX_set_verify")
        sslCtxGetCertStore = try library.function("SSL_CTX_get_cert_store")
        sslCtxAddClientCa = try library.function("SSL_CTX_add_client_CA")
        sslNew = try library.function("SSL_new")
        sslFree = try library.function("SSL_free")
        sslSetBio = try library.function("SSL_set_bio")
        sslSetAcceptState = try library.function("SSL_set_accept_state")
        sslRead = try library.function("SSL_read")
        sslWrite = try library.function("SSL_write")
        sslShutdown = try library.function("SSL_shutdown")
        sslGetError = try library.function("SSL_get_error")
        sslIsInitFinished = try library.function("SSL_is_init_finished")
        sslGetVersion = try library.function("SSL_get_version")
        sslGetServername = try library.function("SSL_get_servername")
        // Version 3 has the function only under the first name.
        sslGet1PeerCertificate = try library.function("SSL_get1_peer_certificate", or: "SSL_get_peer_certificate")
    }
}
