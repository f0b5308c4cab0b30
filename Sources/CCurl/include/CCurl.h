// The parts of libcurl's stable ABI (soname 4) that Errand uses. They are declared here so that building needs no -dev
// package.
//
// Every name is libcurl's own name with the prefix C, or a function that wraps a variadic one.
// `.ci/deep-steps/check-curl-header` compares each constant and each layout with the real header.

#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct CCurlEasy CCurlEasy;
typedef struct CCurlMulti CCurlMulti;
typedef struct CCurlURL CCurlURL;
typedef struct CCurlShare CCurlShare;

// A node of a list of strings (`struct curl_slist`).
typedef struct CCurlList {
    char *data;
    struct CCurlList *next;
} CCurlList;

// A finished transfer (`CURLMsg`).
typedef struct CCurlMessage {
    int msg;
    CCurlEasy *easy_handle;
    union {
        void *whatever;
        int result;
    } data;
} CCurlMessage;

// In-memory data in place of a file (`struct curl_blob`).
typedef struct CCurlBlob {
    void *data;
    size_t len;
    unsigned int flags;
} CCurlBlob;

// The remote address of a socket (`struct curl_sockaddr`); the address itself follows.
typedef struct CCurlAddress {
    int family;
    int type;
    int protocol;
    unsigned int length;
} CCurlAddress;

typedef size_t (*CCurlDataCallback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*CCurlSeekCallback)(void *context, int64_t offset, int origin);
typedef int (*CCurlSocketCallback)(CCurlEasy *easy, int descriptor, int what, void *context, void *socket_context);
typedef int (*CCurlTimerCallback)(CCurlMulti *multi, long milliseconds, void *context);
typedef int (*CCurlOpenedCallback)(void *context, int descriptor, int purpose);
typedef int (*CCurlClosedCallback)(void *context, int descriptor);
// Reports the bytes that libcurl has counted so far. Any result but 0 ends the transfer with
// CCURLE_ABORTED_BY_CALLBACK.
typedef int (*CCurlProgressCallback)(
    void *context, int64_t download_total, int64_t downloaded, int64_t upload_total, int64_t uploaded);
// Receives a log message: its kind and its text, which may lack a terminating null character.
typedef int (*CCurlLogCallback)(CCurlEasy *easy, int kind, char *text, size_t size, void *context);
// Adds the trailer fields of a chunked body to a list, which libcurl frees.
typedef int (*CCurlTrailerCallback)(CCurlList **list, void *context);
typedef int (*CCurlPrerequestCallback)(void *context, char *remote, char *local, int remote_port, int local_port);

// Shared data and the option that shares it (`curl_lock_data`, `CURLSHoption`).
enum {
    CCURL_LOCK_DATA_SSL_SESSION = 4,
    CCURLSHOPT_SHARE = 1,
};

// Options of an easy handle.
enum {
    CCURLOPT_URL = 10002,
    CCURLOPT_HTTPHEADER = 10023,
    CCURLOPT_CUSTOMREQUEST = 10036,
    CCURLOPT_HTTP_CONTENT_DECODING = 158,
    CCURLOPT_NOBODY = 44,
    CCURLOPT_POSTFIELDS = 10015,
    CCURLOPT_POSTFIELDSIZE_LARGE = 30120,
    CCURLOPT_UPLOAD = 46,
    CCURLOPT_INFILESIZE_LARGE = 30115,
    CCURLOPT_READFUNCTION = 20012,
    CCURLOPT_READDATA = 10009,
    CCURLOPT_SEEKFUNCTION = 20167,
    CCURLOPT_SEEKDATA = 10168,
    CCURLOPT_WRITEFUNCTION = 20011,
    CCURLOPT_OPENSOCKETFUNCTION = 20163,
    CCURLOPT_SOCKOPTFUNCTION = 20148,
    CCURLOPT_SOCKOPTDATA = 10149,
    CCURLOPT_CLOSESOCKETFUNCTION = 20208,
    CCURLOPT_CLOSESOCKETDATA = 10209,
    CCURLOPT_WRITEDATA = 10001,
    CCURLOPT_HEADERFUNCTION = 20079,
    CCURLOPT_HEADERDATA = 10029,
    CCURLOPT_ERRORBUFFER = 10010,
    CCURLOPT_PRIVATE = 10103,
    CCURLOPT_NOSIGNAL = 99,
    CCURLOPT_PROTOCOLS = 181,
    CCURLOPT_CONNECTTIMEOUT_MS = 156,
    CCURLOPT_HTTP_VERSION = 84,
    CCURLOPT_PIPEWAIT = 237,
    CCURLOPT_REQUEST_TARGET = 10266,
    CCURLOPT_PREREQFUNCTION = 20312,
    CCURLOPT_PREREQDATA = 10313,
    CCURLOPT_PROXY = 10004,
    CCURLOPT_PROXYUSERPWD = 10006,
    CCURLOPT_NOPROXY = 10177,
    CCURLOPT_UNIX_SOCKET_PATH = 10231,
    CCURLOPT_RESOLVE = 10203,
    CCURLOPT_CAINFO_BLOB = 40309,
    CCURLOPT_SSLCERT = 10025,
    CCURLOPT_SSLKEY = 10087,
    CCURLOPT_KEYPASSWD = 10026,
    CCURLOPT_PINNEDPUBLICKEY = 10230,
    CCURLOPT_SSLVERSION = 32,
    CCURLOPT_FRESH_CONNECT = 74,
    CCURLOPT_FORBID_REUSE = 75,
    CCURLOPT_HTTP09_ALLOWED = 285,
    CCURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
    CCURLOPT_BUFFERSIZE = 98,
    CCURLOPT_CONNECT_ONLY = 141,
    CCURLOPT_HTTPPROXYTUNNEL = 61,
    CCURLOPT_USERAGENT = 10018,
    CCURLOPT_CURLU = 10282,
    CCURLOPT_QUICK_EXIT = 322,
    CCURLOPT_NOPROGRESS = 43,
    CCURLOPT_XFERINFOFUNCTION = 20219,
    CCURLOPT_XFERINFODATA = 10057,
    CCURLOPT_VERBOSE = 41,
    CCURLOPT_DEBUGFUNCTION = 20094,
    CCURLOPT_DEBUGDATA = 10095,
    CCURLOPT_SSL_CTX_FUNCTION = 20108,
    CCURLOPT_CAINFO = 10065,
    CCURLOPT_PROXY_CAINFO = 10246,
    CCURLOPT_PROXY_CAINFO_BLOB = 40310,
    CCURLOPT_PROXY_PINNEDPUBLICKEY = 10263,
    CCURLOPT_PROXY_SSLVERSION = 250,
    CCURLOPT_SSLCERT_BLOB = 40291,
    CCURLOPT_SSLKEY_BLOB = 40292,
    CCURLOPT_MAXLIFETIME_CONN = 314,
    CCURLOPT_MAXAGE_CONN = 288,
    CCURLOPT_DOH_URL = 10279,
    CCURLOPT_SHARE = 10100,
    CCURLOPT_INTERFACE = 10062,
    CCURLOPT_TRAILERFUNCTION = 20283,
    CCURLOPT_TRAILERDATA = 10284,
};

// Information from an easy handle.
enum {
    CCURLINFO_PRIVATE = 1048597,
    CCURLINFO_RESPONSE_CODE = 2097154,
    CCURLINFO_NAMELOOKUP_TIME_T = 6291507,
    CCURLINFO_CONNECT_TIME_T = 6291508,
    CCURLINFO_APPCONNECT_TIME_T = 6291512,
    CCURLINFO_PRETRANSFER_TIME_T = 6291509,
    CCURLINFO_STARTTRANSFER_TIME_T = 6291510,
    CCURLINFO_TOTAL_TIME_T = 6291506,
    CCURLINFO_SIZE_UPLOAD_T = 6291463,
    CCURLINFO_SIZE_DOWNLOAD_T = 6291464,
    CCURLINFO_HEADER_SIZE = 2097163,
    CCURLINFO_REQUEST_SIZE = 2097164,
    CCURLINFO_NUM_CONNECTS = 2097178,
    CCURLINFO_HTTP_VERSION = 2097198,
    CCURLINFO_PRIMARY_IP = 1048608,
    CCURLINFO_PRIMARY_PORT = 2097192,
    CCURLINFO_SSL_VERIFYRESULT = 2097165,
    CCURLINFO_OS_ERRNO = 2097177,
    CCURLINFO_HTTP_CONNECTCODE = 2097174,
    CCURLINFO_ACTIVESOCKET = 5242924,
    CCURLINFO_TLS_SSL_PTR = 4194349,
};

// Options of a multi handle.
enum {
    CCURLMOPT_MAXCONNECTS = 6,
    CCURLMOPT_MAX_TOTAL_CONNECTIONS = 13,
    CCURLMOPT_MAX_HOST_CONNECTIONS = 7,
    CCURLMOPT_PIPELINING = 3,
    CCURLMOPT_MAX_CONCURRENT_STREAMS = 16,
    CCURLMOPT_SOCKETFUNCTION = 20001,
    CCURLMOPT_SOCKETDATA = 10002,
    CCURLMOPT_TIMERFUNCTION = 20004,
    CCURLMOPT_TIMERDATA = 10005,
};

// Result codes of a transfer.
enum {
    CCURLE_OK = 0,
    CCURLE_UNSUPPORTED_PROTOCOL = 1,
    CCURLE_URL_MALFORMAT = 3,
    CCURLE_COULDNT_RESOLVE_PROXY = 5,
    CCURLE_COULDNT_RESOLVE_HOST = 6,
    CCURLE_COULDNT_CONNECT = 7,
    CCURLE_WEIRD_SERVER_REPLY = 8,
    CCURLE_HTTP2 = 16,
    CCURLE_PARTIAL_FILE = 18,
    CCURLE_WRITE_ERROR = 23,
    CCURLE_READ_ERROR = 26,
    CCURLE_OUT_OF_MEMORY = 27,
    CCURLE_OPERATION_TIMEDOUT = 28,
    CCURLE_INTERFACE_FAILED = 45,
    CCURLE_SSL_CONNECT_ERROR = 35,
    CCURLE_ABORTED_BY_CALLBACK = 42,
    CCURLE_BAD_FUNCTION_ARGUMENT = 43,
    CCURLE_TOO_MANY_REDIRECTS = 47,
    CCURLE_GOT_NOTHING = 52,
    CCURLE_SSL_ENGINE_NOTFOUND = 53,
    CCURLE_SEND_ERROR = 55,
    CCURLE_RECV_ERROR = 56,
    CCURLE_SSL_CERTPROBLEM = 58,
    CCURLE_SSL_CIPHER = 59,
    CCURLE_PEER_FAILED_VERIFICATION = 60,
    CCURLE_BAD_CONTENT_ENCODING = 61,
    CCURLE_SEND_FAIL_REWIND = 65,
    CCURLE_SSL_CACERT_BADFILE = 77,
    CCURLE_SSL_SHUTDOWN_FAILED = 80,
    CCURLE_SSL_ISSUER_ERROR = 83,
    CCURLE_SSL_PINNEDPUBKEYNOTMATCH = 90,
    CCURLE_SSL_INVALIDCERTSTATUS = 91,
    CCURLE_HTTP2_STREAM = 92,
    CCURLE_SSL_CLIENTCERT = 98,
    CCURLE_PROXY = 97,
    CCURLE_UNKNOWN_OPTION = 48,
    CCURLE_AGAIN = 81,
};

// Flags and values for the functions and options above.
enum {
    CCURLM_OK = 0,
    CCURLMSG_DONE = 1,
    CCURL_GLOBAL_DEFAULT = 3,
    CCURL_HTTP_VERSION_1_0 = 1,
    CCURL_HTTP_VERSION_1_1 = 2,
    CCURL_HTTP_VERSION_2_0 = 3,
    CCURL_HTTP_VERSION_2TLS = 4,
    CCURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE = 5,
    CCURL_HTTP_VERSION_3 = 30,
    CCURL_POLL_IN = 1,
    CCURL_POLL_OUT = 2,
    CCURL_POLL_INOUT = 3,
    CCURL_POLL_REMOVE = 4,
    CCURL_CSELECT_IN = 1,
    CCURL_CSELECT_OUT = 2,
    CCURL_SOCKET_TIMEOUT = -1,
    CCURLPAUSE_RECV = 1,
    CCURLPAUSE_CONT = 0,
    CCURLPROTO_HTTP = 1,
    CCURLPROTO_HTTPS = 2,
    CCURLPIPE_MULTIPLEX = 2,
    CCURL_WRITEFUNC_PAUSE = 268435457,
    CCURL_READFUNC_PAUSE = 268435457,
    CCURL_READFUNC_ABORT = 268435456,
    CCURL_SEEKFUNC_OK = 0,
    CCURL_SEEKFUNC_FAIL = 1,
    CCURL_PREREQFUNC_OK = 0,
    CCURL_PREREQFUNC_ABORT = 1,
    CCURL_SSLVERSION_TLSv1_2 = 6,
    CCURL_SSLVERSION_TLSv1_3 = 7,
    CCURL_BLOB_COPY = 1,
    CCURL_BLOB_NOCOPY = 0,
    CCURLVERSION_FIRST = 0,
    CCURL_VERSION_SSL = 4,
    CCURL_VERSION_HTTP2 = 65536,
    CCURLINFO_TEXT = 0,
    CCURLINFO_HEADER_IN = 1,
    CCURLINFO_DATA_IN = 3,
    CCURL_TRAILERFUNC_OK = 0,
    CCURL_TRAILERFUNC_ABORT = 1,
    CCURL_SOCKOPT_OK = 0,
    CCURL_SOCKOPT_ERROR = 1,
    CCURL_ERROR_SIZE = 256,
    CCURLUE_OK = 0,
    CCURLUPART_URL = 0,
};
// Sets the name of the calling thread, for debuggers. Foundation does not do this on every platform.
void ccurl_name_thread(const char *name);
// Initializes the whole library, once, before any other call. OpenSSL is configured not to free its data when the
// process exits, because engines may still run then.
int ccurl_global_init(void);
// The oldest part of `curl_version_info_data`, which every libcurl provides.
typedef struct CCurlVersion {
    int age;
    const char *version;
    unsigned int version_num;
    const char *host;
    int features;
    const char *ssl_version;
} CCurlVersion;

// Returns the version and build features of this libcurl.
const CCurlVersion *ccurl_version(void);
const char *ccurl_error_text(int code);

CCurlEasy *ccurl_easy_init(void);
void ccurl_easy_cleanup(CCurlEasy *easy);
void ccurl_easy_reset(CCurlEasy *easy);
int ccurl_easy_pause(CCurlEasy *easy, int mask);
int ccurl_set_long(CCurlEasy *easy, int option, long value);
int ccurl_set_offset(CCurlEasy *easy, int option, int64_t value);
int ccurl_set_pointer(CCurlEasy *easy, int option, const void *value);
int ccurl_set_data_callback(CCurlEasy *easy, int option, CCurlDataCallback callback);
int ccurl_set_seek_callback(CCurlEasy *easy, CCurlSeekCallback callback);
int ccurl_set_prerequest_callback(CCurlEasy *easy, CCurlPrerequestCallback callback);
int ccurl_set_trailer_callback(CCurlEasy *easy, CCurlTrailerCallback callback);
// Sets the callbacks for the sockets of a handle. `opened` configures a socket before it is connected. `closed` closes
// a socket, possibly after the handle was freed.
int ccurl_set_socket_callbacks(
    CCurlEasy *easy, CCurlOpenedCallback opened, void *opening, CCurlClosedCallback closed, void *closing);
int ccurl_set_progress_callback(CCurlEasy *easy, CCurlProgressCallback callback, void *context);
int ccurl_set_log_callback(CCurlEasy *easy, CCurlLogCallback callback, void *context);
// Returns whether a log line shows that a server closes the connection without an error (GOAWAY with NO_ERROR, RFC
// 9113, section 6.8).
bool ccurl_is_goaway(int kind, const char *text, size_t size);
// Configures TLS if libcurl was built with OpenSSL or a fork of it. A certificate without alternative names is
// rejected, as if none of them matched the host. libcurl would otherwise use its common name, which RFC 9525 no longer
// allows. The function also records, for a while, which TLS sessions of the calling thread the server closed properly
// (close_notify, RFC 8446, section 6.1). libcurl does not distinguish a proper close from any other end.
int ccurl_prepare_tls(CCurlEasy *easy);
// Returns the TLS session of the connection that a transfer uses now; NULL for none. Use it only for comparison.
const void *ccurl_tls_session(CCurlEasy *easy);
bool ccurl_was_closed(const void *session);
// Returns whether HTTP/2 was negotiated (ALPN) for the connection that a transfer uses now, if OpenSSL or a fork of it
// reports this.
bool ccurl_speaks_http2(CCurlEasy *easy);
// Sets in-memory data, which the handle either copies or refers to during its lifetime.
int ccurl_set_blob(CCurlEasy *easy, int option, const void *bytes, size_t count, bool is_copied);
long ccurl_get_long(CCurlEasy *easy, int info);
int64_t ccurl_get_offset(CCurlEasy *easy, int info);
const char *ccurl_get_string(CCurlEasy *easy, int info);
void *ccurl_get_private(CCurlEasy *easy);

// Reads from or writes to a connection that was made with CCURLOPT_CONNECT_ONLY. Does not block: returns CCURLE_AGAIN
// instead. `count` receives the number of bytes; a read of 0 bytes is the end.
int ccurl_receive(CCurlEasy *easy, void *bytes, size_t capacity, size_t *count);
int ccurl_send(CCurlEasy *easy, const void *bytes, size_t size, size_t *count);
// Returns the socket of such a connection; -1 for none.
int ccurl_active_socket(CCurlEasy *easy);

CCurlURL *ccurl_url_init(void);
void ccurl_url_cleanup(CCurlURL *url);
// Parses an absolute URL. Returns false if it is not valid.
bool ccurl_url_parse(CCurlURL *url, const char *text);

CCurlList *ccurl_list_append(CCurlList *list, const char *text);
void ccurl_list_free(CCurlList *list);

// Creates a share of the TLS sessions that later connections can resume, for the handles of one thread. Returns NULL if
// memory runs out. Free it after the last of the handles.
CCurlShare *ccurl_share_sessions(void);
void ccurl_share_free(CCurlShare *share);

// Creates a multi handle. Prevents child processes from inheriting the sockets with which libcurl can wake its thread.
CCurlMulti *ccurl_multi_init(void);
void ccurl_multi_cleanup(CCurlMulti *multi);
int ccurl_multi_set_long(CCurlMulti *multi, int option, long value);
int ccurl_multi_add(CCurlMulti *multi, CCurlEasy *easy);
int ccurl_multi_remove(CCurlMulti *multi, CCurlEasy *easy);
// Sets the callbacks that report the sockets and the timeout that libcurl waits for, whenever these change.
int ccurl_multi_set_callbacks(CCurlMulti *multi, CCurlSocketCallback socket, CCurlTimerCallback timer, void *context);
// Reports to libcurl an event on a socket, or an expired timeout.
void ccurl_multi_socket_action(CCurlMulti *multi, int descriptor, int what);
// Makes one transfer check whether it can continue.
void ccurl_look(CCurlMulti *multi, CCurlEasy *easy);
// Makes every transfer check whether it can continue, and then reports the sockets to wait for.
void ccurl_multi_socket_all(CCurlMulti *multi);
// Returns the next finished transfer, or false if no transfer has finished.
bool ccurl_multi_next_done(CCurlMulti *multi, CCurlEasy **easy, int *result);

#endif
