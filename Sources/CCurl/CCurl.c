#if defined(__linux__)
// Declares RTLD_DEFAULT and memmem.
#define _GNU_SOURCE
#endif

#include "CCurl.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>

extern int curl_global_init(long flags);
extern CCurlVersion *curl_version_info(int age);
extern const char *curl_easy_strerror(int code);
extern CCurlEasy *curl_easy_init(void);
extern void curl_easy_cleanup(CCurlEasy *easy);
extern void curl_easy_reset(CCurlEasy *easy);
extern int curl_easy_pause(CCurlEasy *easy, int mask);
extern int curl_easy_setopt(CCurlEasy *easy, int option, ...);
extern int curl_easy_getinfo(CCurlEasy *easy, int info, ...);
extern int curl_easy_recv(CCurlEasy *easy, void *bytes, size_t capacity, size_t *count);
extern int curl_easy_send(CCurlEasy *easy, const void *bytes, size_t size, size_t *count);
extern CCurlURL *curl_url(void);
extern void curl_url_cleanup(CCurlURL *url);
extern int curl_url_set(CCurlURL *url, int part, const char *content, unsigned int flags);
extern CCurlList *curl_slist_append(CCurlList *list, const char *text);
extern void curl_slist_free_all(CCurlList *list);
extern CCurlShare *curl_share_init(void);
extern int curl_share_setopt(CCurlShare *share, int option, ...);
extern int curl_share_cleanup(CCurlShare *share);
extern CCurlMulti *curl_multi_init(void);
extern int curl_multi_wakeup(CCurlMulti *multi);
extern int curl_multi_cleanup(CCurlMulti *multi);
extern int curl_multi_setopt(CCurlMulti *multi, int option, ...);
extern int curl_multi_add_handle(CCurlMulti *multi, CCurlEasy *easy);
extern int curl_multi_remove_handle(CCurlMulti *multi, CCurlEasy *easy);
extern int curl_multi_socket_action(CCurlMulti *multi, int descriptor, int what, int *running);
extern int curl_multi_socket_all(CCurlMulti *multi, int *running);
extern CCurlMessage *curl_multi_info_read(CCurlMulti *multi, int *left);

void ccurl_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

// OpenSSL is a dependency of libcurl, not of Errand. Its functions are looked up by name; they are missing if libcurl
// was built with another library.
int ccurl_global_init(void) {
    enum { NO_ATEXIT = 0x00080000 };
    int (*init)(uint64_t, const void *) = (int (*)(uint64_t, const void *))dlsym(RTLD_DEFAULT, "OPENSSL_init_crypto");
    if (init) init(NO_ATEXIT, NULL);
    return curl_global_init(CCURL_GLOBAL_DEFAULT);
}

const CCurlVersion *ccurl_version(void) { return curl_version_info(CCURLVERSION_FIRST); }
const char *ccurl_error_text(int code) { return curl_easy_strerror(code); }

CCurlEasy *ccurl_easy_init(void) { return curl_easy_init(); }
void ccurl_easy_cleanup(CCurlEasy *easy) { curl_easy_cleanup(easy); }
void ccurl_easy_reset(CCurlEasy *easy) { curl_easy_reset(easy); }
int ccurl_easy_pause(CCurlEasy *easy, int mask) { return curl_easy_pause(easy, mask); }

int ccurl_set_long(CCurlEasy *easy, int option, long value) { return curl_easy_setopt(easy, option, value); }
int ccurl_set_offset(CCurlEasy *easy, int option, int64_t value) { return curl_easy_setopt(easy, option, value); }
int ccurl_set_pointer(CCurlEasy *easy, int option, const void *value) { return curl_easy_setopt(easy, option, value); }

int ccurl_set_data_callback(CCurlEasy *easy, int option, CCurlDataCallback callback) {
    return curl_easy_setopt(easy, option, callback);
}

int ccurl_set_seek_callback(CCurlEasy *easy, CCurlSeekCallback callback) {
    return curl_easy_setopt(easy, CCURLOPT_SEEKFUNCTION, callback);
}

int ccurl_set_prerequest_callback(CCurlEasy *easy, CCurlPrerequestCallback callback) {
    return curl_easy_setopt(easy, CCURLOPT_PREREQFUNCTION, callback);
}

int ccurl_set_trailer_callback(CCurlEasy *easy, CCurlTrailerCallback callback) {
    return curl_easy_setopt(easy, CCURLOPT_TRAILERFUNCTION, callback);
}

// Opens a socket with close-on-exec, so that a child process cannot inherit it, even if another thread starts one
// meanwhile.
static int open_socket(void *context, int purpose, CCurlAddress *address) {
    (void)context, (void)purpose;
    return socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
}

int ccurl_set_socket_callbacks(
    CCurlEasy *easy, CCurlOpenedCallback opened, void *opening, CCurlClosedCallback closed, void *closing) {
    int result = curl_easy_setopt(easy, CCURLOPT_OPENSOCKETFUNCTION, open_socket);
    if (result == CCURLE_OK) result = curl_easy_setopt(easy, CCURLOPT_SOCKOPTFUNCTION, opened);
    if (result == CCURLE_OK) result = curl_easy_setopt(easy, CCURLOPT_SOCKOPTDATA, opening);
    if (result == CCURLE_OK) result = curl_easy_setopt(easy, CCURLOPT_CLOSESOCKETFUNCTION, closed);
    return result == CCURLE_OK ? curl_easy_setopt(easy, CCURLOPT_CLOSESOCKETDATA, closing) : result;
}

int ccurl_set_progress_callback(CCurlEasy *easy, CCurlProgressCallback callback, void *context) {
    int result = curl_easy_setopt(easy, CCURLOPT_XFERINFOFUNCTION, callback);
    if (result == CCURLE_OK) result = curl_easy_setopt(easy, CCURLOPT_XFERINFODATA, context);
    return result == CCURLE_OK ? curl_easy_setopt(easy, CCURLOPT_NOPROGRESS, 0L) : result;
}

int ccurl_set_log_callback(CCurlEasy *easy, CCurlLogCallback callback, void *context) {
    int result = curl_easy_setopt(easy, CCURLOPT_DEBUGFUNCTION, callback);
    return result == CCURLE_OK ? curl_easy_setopt(easy, CCURLOPT_DEBUGDATA, context) : result;
}

bool ccurl_is_goaway(int kind, const char *text, size_t size) {
    static const char mark[] = "GOAWAY, error=0,";
    return kind == CCURLINFO_TEXT && memmem(text, size, mark, sizeof mark - 1);
}

// The last properly closed TLS sessions of each thread. A transfer checks them immediately after its end.
enum { CLOSED_SESSIONS = 512 };
static _Thread_local const void *closed_sessions[CLOSED_SESSIONS];
static _Thread_local unsigned int closed_count;

bool ccurl_was_closed(const void *session) {
    for (int index = 0; index < CLOSED_SESSIONS; index++) {
        if (closed_sessions[index] == session) return true;
    }
    return false;
}

static void note_event(const void *session, int event, int value) {
    // Values from openssl/ssl.h. The low byte of `value` is the alert's description, the next byte its level.
    enum { HANDSHAKE_START = 0x10, READ_ALERT = 0x4004, CLOSE_NOTIFY = 0 };
    if (event == READ_ALERT && (value & 0xFF) == CLOSE_NOTIFY) {
        closed_sessions[closed_count++ % CLOSED_SESSIONS] = session;
    } else if (event == HANDSHAKE_START) {
        // A new session may have the address of a freed one.
        for (int index = 0; index < CLOSED_SESSIONS; index++) {
            if (closed_sessions[index] == session) closed_sessions[index] = NULL;
        }
    }
}

// OpenSSL's functions to inspect certificates.
static struct {
    int (*depth)(void *store);
    void *(*certificate)(void *store);
    void (*set_error)(void *store, int error);
    int (*find_extension)(const void *certificate, int extension, int behind);
} x509;

static int verify(int is_trusted, void *store) {
    // NID_subject_alt_name and X509_V_ERR_HOSTNAME_MISMATCH.
    enum { ALTERNATIVE_NAMES = 85, HOST_NAME_MISMATCH = 62 };
    if (!is_trusted || x509.depth(store) != 0) return is_trusted;
    if (x509.find_extension(x509.certificate(store), ALTERNATIVE_NAMES, -1) >= 0) return 1;
    x509.set_error(store, HOST_NAME_MISMATCH);
    return 0;
}

static int prepare_tls(CCurlEasy *easy, void *tls, void *context) {
    typedef void (*Noting)(const void *, int, int);
    typedef int (*Verifying)(int, void *);
    // SSL_VERIFY_PEER and SSL_OP_NO_TICKET.
    enum { VERIFY_PEER = 1, NO_TICKET = 0x4000 };
    (void)easy, (void)context;
    void (*set_noting)(void *, Noting) = (void (*)(void *, Noting))dlsym(RTLD_DEFAULT, "SSL_CTX_set_info_callback");
    if (set_noting) set_noting(tls, note_event);
    // libcurl disables session tickets before TLS 1.3; this enables them again.
    uint64_t (*clear_options)(void *, uint64_t) =
        (uint64_t (*)(void *, uint64_t))dlsym(RTLD_DEFAULT, "SSL_CTX_clear_options");
    if (clear_options) clear_options(tls, NO_TICKET);
    void (*set_verifying)(void *, int, Verifying) =
        (void (*)(void *, int, Verifying))dlsym(RTLD_DEFAULT, "SSL_CTX_set_verify");
    if (set_verifying && x509.find_extension) set_verifying(tls, VERIFY_PEER, verify);
    return CCURLE_OK;
}

static void find_x509(void) {
    x509.depth = (int (*)(void *))dlsym(RTLD_DEFAULT, "X509_STORE_CTX_get_error_depth");
    x509.certificate = (void *(*)(void *))dlsym(RTLD_DEFAULT, "X509_STORE_CTX_get_current_cert");
    x509.set_error = (void (*)(void *, int))dlsym(RTLD_DEFAULT, "X509_STORE_CTX_set_error");
    if (!x509.depth || !x509.certificate || !x509.set_error) return;
    x509.find_extension = (int (*)(const void *, int, int))dlsym(RTLD_DEFAULT, "X509_get_ext_by_NID");
}

int ccurl_prepare_tls(CCurlEasy *easy) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_x509);
    return curl_easy_setopt(easy, CCURLOPT_SSL_CTX_FUNCTION, prepare_tls);
}

const void *ccurl_tls_session(CCurlEasy *easy) {
    // `struct curl_tlssessioninfo`.
    struct {
        int backend;
        const void *session;
    } *info = NULL;
    return curl_easy_getinfo(easy, CCURLINFO_TLS_SSL_PTR, &info) == CCURLE_OK && info ? info->session : NULL;
}

bool ccurl_speaks_http2(CCurlEasy *easy) {
    typedef void (*Asking)(const void *, const unsigned char **, unsigned int *);
    const void *session = ccurl_tls_session(easy);
    Asking ask = (Asking)dlsym(RTLD_DEFAULT, "SSL_get0_alpn_selected");
    const unsigned char *name = NULL;
    unsigned int count = 0;
    if (session && ask) ask(session, &name, &count);
    return count == 2 && memcmp(name, "h2", 2) == 0;
}

int ccurl_set_blob(CCurlEasy *easy, int option, const void *bytes, size_t count, bool is_copied) {
    CCurlBlob blob = {(void *)bytes, count, is_copied ? CCURL_BLOB_COPY : CCURL_BLOB_NOCOPY};
    return curl_easy_setopt(easy, option, &blob);
}

long ccurl_get_long(CCurlEasy *easy, int info) {
    long value = 0;
    curl_easy_getinfo(easy, info, &value);
    return value;
}

int64_t ccurl_get_offset(CCurlEasy *easy, int info) {
    int64_t value = 0;
    curl_easy_getinfo(easy, info, &value);
    return value;
}

const char *ccurl_get_string(CCurlEasy *easy, int info) {
    const char *value = NULL;
    curl_easy_getinfo(easy, info, &value);
    return value;
}

void *ccurl_get_private(CCurlEasy *easy) {
    void *value = NULL;
    curl_easy_getinfo(easy, CCURLINFO_PRIVATE, &value);
    return value;
}

int ccurl_receive(CCurlEasy *easy, void *bytes, size_t capacity, size_t *count) {
    *count = 0;
    return curl_easy_recv(easy, bytes, capacity, count);
}

int ccurl_send(CCurlEasy *easy, const void *bytes, size_t size, size_t *count) {
    // Some versions of libcurl write in a way that raises SIGPIPE when the connection is closed, and the caller may be
    // any thread. The signal is blocked meanwhile, and taken if it was raised.
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    *count = 0;
    const int result = curl_easy_send(easy, bytes, size, count);
    if (sigismember(&before, SIGPIPE)) return result;
    const struct timespec now = {0};
    if (result != CCURLE_OK && result != CCURLE_AGAIN) sigtimedwait(&signals, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

int ccurl_active_socket(CCurlEasy *easy) {
    int descriptor = -1;
    curl_easy_getinfo(easy, CCURLINFO_ACTIVESOCKET, &descriptor);
    return descriptor;
}

CCurlURL *ccurl_url_init(void) { return curl_url(); }
void ccurl_url_cleanup(CCurlURL *url) { curl_url_cleanup(url); }

bool ccurl_url_parse(CCurlURL *url, const char *text) {
    // Cleared first: otherwise a relative URL would be resolved against the previous one.
    curl_url_set(url, CCURLUPART_URL, NULL, 0);
    return curl_url_set(url, CCURLUPART_URL, text, 0) == CCURLUE_OK;
}

CCurlList *ccurl_list_append(CCurlList *list, const char *text) { return curl_slist_append(list, text); }
void ccurl_list_free(CCurlList *list) { curl_slist_free_all(list); }

CCurlShare *ccurl_share_sessions(void) {
    CCurlShare *share = curl_share_init();
    if (share) curl_share_setopt(share, CCURLSHOPT_SHARE, CCURL_LOCK_DATA_SSL_SESSION);
    return share;
}

void ccurl_share_free(CCurlShare *share) { curl_share_cleanup(share); }

static bool is_inherited(int descriptor) {
    const int flags = fcntl(descriptor, F_GETFD);
    return flags >= 0 && !(flags & FD_CLOEXEC);
}

// Returns whether a socket has unread data, or has sent data that the peer has not read.
static bool is_in_use(int descriptor) {
    int received = 0, sent = 0;
    return (ioctl(descriptor, FIONREAD, &received) == 0 && received > 0)
        || (ioctl(descriptor, TIOCOUTQ, &sent) == 0 && sent > 0);
}

// libcurl 7.88 creates a socket pair to wake its thread, which child processes would inherit. To find it, this function
// wakes libcurl: the pair are the two new sockets that then hold unread data.
CCurlMulti *ccurl_multi_init(void) {
    enum { HIGHEST = 1024 };
    bool was_open[HIGHEST], was_in_use[HIGHEST];
    for (int descriptor = 0; descriptor < HIGHEST; descriptor++) was_open[descriptor] = fcntl(descriptor, F_GETFD) >= 0;
    CCurlMulti *multi = curl_multi_init();
    if (!multi) return NULL;
    for (int descriptor = 0; descriptor < HIGHEST; descriptor++) {
        was_in_use[descriptor] = was_open[descriptor] || !is_inherited(descriptor) || is_in_use(descriptor);
    }
    curl_multi_wakeup(multi);
    for (int descriptor = 0; descriptor < HIGHEST; descriptor++) {
        if (!was_in_use[descriptor] && is_in_use(descriptor)) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
    return multi;
}

void ccurl_multi_cleanup(CCurlMulti *multi) { curl_multi_cleanup(multi); }
int ccurl_multi_set_long(CCurlMulti *multi, int option, long value) { return curl_multi_setopt(multi, option, value); }
int ccurl_multi_add(CCurlMulti *multi, CCurlEasy *easy) { return curl_multi_add_handle(multi, easy); }
int ccurl_multi_remove(CCurlMulti *multi, CCurlEasy *easy) { return curl_multi_remove_handle(multi, easy); }

int ccurl_multi_set_callbacks(CCurlMulti *multi, CCurlSocketCallback socket, CCurlTimerCallback timer, void *context) {
    int result = curl_multi_setopt(multi, CCURLMOPT_SOCKETFUNCTION, socket);
    if (result == CCURLM_OK) result = curl_multi_setopt(multi, CCURLMOPT_SOCKETDATA, context);
    if (result == CCURLM_OK) result = curl_multi_setopt(multi, CCURLMOPT_TIMERFUNCTION, timer);
    return result == CCURLM_OK ? curl_multi_setopt(multi, CCURLMOPT_TIMERDATA, context) : result;
}

void ccurl_multi_socket_action(CCurlMulti *multi, int descriptor, int what) {
    int running = 0;
    curl_multi_socket_action(multi, descriptor, what, &running);
}

void ccurl_look(CCurlMulti *multi, CCurlEasy *easy) {
    int running = 0;
    // The receiving direction is paused and resumed, because libcurl handles the transfer only after a change.
    curl_easy_pause(easy, CCURLPAUSE_RECV);
    curl_easy_pause(easy, CCURLPAUSE_CONT);
    curl_multi_socket_action(multi, CCURL_SOCKET_TIMEOUT, 0, &running);
}

void ccurl_multi_socket_all(CCurlMulti *multi) {
    int running = 0;
    curl_multi_socket_all(multi, &running);
}

bool ccurl_multi_next_done(CCurlMulti *multi, CCurlEasy **easy, int *result) {
    int left = 0;
    CCurlMessage *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CCURLMSG_DONE) continue;
        *easy = message->easy_handle;
        *result = message->data.result;
        return true;
    }
    return false;
}

#endif
