import Errand

/// The functions of OpenSSL's libcrypto that the server uses, with their C names in Swift's spelling and their C types.
///
/// All of them exist in versions 1.1.1 and 3.
struct LibCrypto: Sendable {
    typealias Object = OpaquePointer
    typealias PassphraseCallback =
        @convention(c) @Sendable (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32

    // The error queue of a thread.
    let errClearError: @convention(c) @Sendable () -> Void
    let errGetError: @convention(c) @Sendable () -> UInt
    let errReasonErrorString: @convention(c) @Sendable (UInt) -> UnsafePointer<CChar>?

    // Memory BIOs.
    let bioSMem: @convention(c) @Sendable () -> Object?
    let bioNew: @convention(c) @Sendable (Object?) -> Object?
    let bioRead: @convention(c) @Sendable (Object?, UnsafeMutableRawPointer?, Int32) -> Int32
    let bioWrite: @convention(c) @Sendable (Object?, UnsafeRawPointer?, Int32) -> Int32
    let bioCtrl: @convention(c) @Sendable (Object?, Int32, Int, UnsafeMutableRawPointer?) -> Int
    let bioFree: @convention(c) @Sendable (Object?) -> Int32

    // Keys.
    let evpPkeyCtxNewId: @convention(c) @Sendable (Int32, Object?) -> Object?
    let evpPkeyCtxFree: @convention(c) @Sendable (Object?) -> Void
    let evpPkeyKeygenInit: @convention(c) @Sendable (Object?) -> Int32
    let evpPkeyCtxCtrlStr: @convention(c) @Sendable (Object?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Int32
    let evpPkeyKeygen: @convention(c) @Sendable (Object?, UnsafeMutablePointer<Object?>?) -> Int32
    let evpPkeyFree: @convention(c) @Sendable (Object?) -> Void
    let evpSha256: @convention(c) @Sendable () -> Object?

    // Certificates.
    let x509New: @convention(c) @Sendable () -> Object?
    let x509Free: @convention(c) @Sendable (Object?) -> Void
    let x509SetVersion: @convention(c) @Sendable (Object?, Int) -> Int32
    let x509GetSerialNumber: @convention(c) @Sendable (Object?) -> Object?
    let asn1IntegerSet: @convention(c) @Sendable (Object?, Int) -> Int32
    let x509GetmNotBefore: @convention(c) @Sendable (Object?) -> Object?
    let x509GetmNotAfter: @convention(c) @Sendable (Object?) -> Object?
    let x509GmtimeAdj: @convention(c) @Sendable (Object?, Int) -> Object?
    let x509SetPubkey: @convention(c) @Sendable (Object?, Object?) -> Int32
    let x509GetSubjectName: @convention(c) @Sendable (Object?) -> Object?
    let x509SetIssuerName: @convention(c) @Sendable (Object?, Object?) -> Int32
    let x509NameAddEntryByTxt:
        @convention(c) @Sendable (
            Object?, UnsafePointer<CChar>?, Int32, UnsafePointer<UInt8>?, Int32, Int32, Int32
        ) -> Int32
    let x509NameGetTextByNid: @convention(c) @Sendable (Object?, Int32, UnsafeMutablePointer<CChar>?, Int32) -> Int32
    let x509v3ExtConfNid:
        @convention(c) @Sendable (Object?, UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?) -> Object?
    let x509AddExt: @convention(c) @Sendable (Object?, Object?, Int32) -> Int32
    let x509ExtensionFree: @convention(c) @Sendable (Object?) -> Void
    let x509Sign: @convention(c) @Sendable (Object?, Object?, Object?) -> Int32
    let x509StoreAddCert: @convention(c) @Sendable (Object?, Object?) -> Int32

    // PEM.
    let pemReadBioX509:
        @convention(c) @Sendable (
            Object?, UnsafeMutablePointer<Object?>?, PassphraseCallback?, UnsafeMutableRawPointer?
        ) -> Object?
    let pemWriteBioX509: @convention(c) @Sendable (Object?, Object?) -> Int32
    let pemReadBioPrivateKey:
        @convention(c) @Sendable (
            Object?, UnsafeMutablePointer<Object?>?, PassphraseCallback?, UnsafeMutableRawPointer?
        ) -> Object?
    let pemWriteBioPKCS8PrivateKey:
        @convention(c) @Sendable (
            Object?, Object?, Object?, UnsafePointer<CChar>?, Int32, PassphraseCallback?, UnsafeMutableRawPointer?
        ) -> Int32

    init(_ library: SharedLibrary) throws(MockServerError) {
        errClearError = try library.function("ERR_clear_error")
        errGetError = try library.function("ERR_get_error")
        errReasonErrorString = try library.function("ERR_reason_error_string")
        bioSMem = try library.function("BIO_s_mem")
        bioNew = try library.function("BIO_new")
        bioRead = try library.function("BIO_read")
        bioWrite = try library.function("BIO_write")
        bioCtrl = try library.function("BIO_ctrl")
        bioFree = try library.function("BIO_free")
        evpPkeyCtxNewId = try library.function("EVP_PKEY_CTX_new_id")
        evpPkeyCtxFree = try library.function("EVP_PKEY_CTX_free")
        evpPkeyKeygenInit = try library.function("EVP_PKEY_keygen_init")
        evpPkeyCtxCtrlStr = try library.function("EVP_PKEY_CTX_ctrl_str")
        evpPkeyKeygen = try library.function("EVP_PKEY_keygen")
        evpPkeyFree = try library.function("EVP_PKEY_free")
        evpSha256 = try library.function("EVP_sha256")
        x509New = try library.function("X509_new")
        x509Free = try library.function("X509_free")
        x509SetVersion = try library.function("X509_set_version")
        x509GetSerialNumber = try library.function("X509_get_serialNumber")
        asn1IntegerSet = try library.function("ASN1_INTEGER_set")
        x509GetmNotBefore = try library.function("X509_getm_notBefore")
        x509GetmNotAfter = try library.function("X509_getm_notAfter")
        x509GmtimeAdj = try library.function("X509_gmtime_adj")
        x509SetPubkey = try library.function("X509_set_pubkey")
        x509GetSubjectName = try library.function("X509_get_subject_name")
        x509SetIssuerName = try library.function("X509_set_issuer_name")
        x509NameAddEntryByTxt = try library.function("X509_NAME_add_entry_by_txt")
        x509NameGetTextByNid = try library.function("X509_NAME_get_text_by_NID")
        x509v3ExtConfNid = try library.function("X509V3_EXT_conf_nid")
        x509AddExt = try library.function("X509_add_ext")
        x509ExtensionFree = try library.function("X509_EXTENSION_free")
        x509Sign = try library.function("X509_sign")
        x509StoreAddCert = try library.function("X509_STORE_add_cert")
        pemReadBioX509 = try library.function("PEM_read_bio_X509")
        pemWriteBioX509 = try library.function("PEM_write_bio_X509")
        pemReadBioPrivateKey = try library.function("PEM_read_bio_PrivateKey")
        pemWriteBioPKCS8PrivateKey = try library.function("PEM_write_bio_PKCS8PrivateKey")
    }
}
