#include "libcurl_peer.h"

#include <stddef.h>

// libcurl's ABI (soname 4), declared by hand so that no -dev package is needed.
typedef struct Message {
    int kind;
    void *easy;
    union {
        void *pointer;
        int result;
    } data;
} Message;
extern int curl_global_init(long flags);
extern void *curl_easy_init(void);
extern int curl_easy_setopt(void *easy, int option, ...);
extern void *curl_multi_init(void);
extern int curl_multi_add_handle(void *multi, void *easy);
extern int curl_multi_remove_handle(void *multi, void *easy);
extern int curl_multi_perform(void *multi, int *running);
extern int curl_multi_poll(void *multi, void *extra, unsigned int extra_count, int milliseconds, int *ready);
extern Message *curl_multi_info_read(void *multi, int *left);

enum {
    GLOBAL_DEFAULT = 3,
    WRITEDATA = 10001,
    URL = 10002,
    WRITEFUNCTION = 20011,
    CAINFO = 10065,
    HTTP_VERSION = 84,
    NOSIGNAL = 99,
    ACCEPT_ENCODING = 10102,
    PIPEWAIT = 237,
    HTTP_1_1 = 2,
    HTTP_2_TLS = 4,
};

static size_t count_bytes(char *bytes, size_t size, size_t count, void *total) {
    (void)bytes;
    *(long long *)total += (long long)(size * count);
    return size * count;
}

static void *make_easy(const char *url, long long *total, LibcurlPeerOptions options) {
    void *easy = curl_easy_init();
    curl_easy_setopt(easy, URL, url);
    curl_easy_setopt(easy, WRITEFUNCTION, count_bytes);
    curl_easy_setopt(easy, WRITEDATA, total);
    curl_easy_setopt(easy, NOSIGNAL, 1L);
    curl_easy_setopt(easy, HTTP_VERSION, options.speaks_http2 ? (long)HTTP_2_TLS : (long)HTTP_1_1);
    curl_easy_setopt(easy, PIPEWAIT, options.speaks_http2 ? 1L : 0L);
    if (options.authority) curl_easy_setopt(easy, CAINFO, options.authority);
    if (options.takes_gzip) curl_easy_setopt(easy, ACCEPT_ENCODING, "gzip");
    return easy;
}

long long libcurl_peer_get(const char *url, int concurrency, int count, LibcurlPeerOptions options) {
    curl_global_init(GLOBAL_DEFAULT);
    void *multi = curl_multi_init();
    long long total = 0;
    int started = 0, finished = 0;
    for (; started < concurrency && started < count; started++) {
        curl_multi_add_handle(multi, make_easy(url, &total, options));
    }
    while (finished < count) {
        int running = 0, left = 0;
        curl_multi_perform(multi, &running);
        for (Message *message; (message = curl_multi_info_read(multi, &left));) {
            if (message->data.result != 0) return -1;
            void *easy = message->easy;
            finished++;
            curl_multi_remove_handle(multi, easy);
            if (started >= count) continue;
            curl_multi_add_handle(multi, easy);
            started++;
        }
        if (finished < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    return total;
}
