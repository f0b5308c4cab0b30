#include "CCurl.h"

#if defined(__linux__)

#include <sys/prctl.h>

extern int curl_global_init(long flags);
extern char *curl_version(void);
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
extern CCurlMulti *curl_multi_init(void);
extern int curl_multi_cleanup(CCurlMulti *multi);
extern int curl_multi_setopt(CCurlMulti *multi, int option, ...);
extern int curl_multi_add_handle(CCurlMulti *multi, CCurlEasy *easy);
extern int curl_multi_remove_handle(CCurlMulti *multi, CCurlEasy *easy);
extern int curl_multi_socket_action(CCurlMulti *multi, int descriptor, int what, int *running);
extern CCurlMessage *curl_multi_info_read(CCurlMulti *multi, int *left);

void ccurl_name_thread(const char *name) { prctl(PR_SET_NAME, name); }
int ccurl_global_init(void) { return curl_global_init(CCURL_GLOBAL_DEFAULT); }
const char *ccurl_version(void) { return curl_version(); }
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

void ccurl_set_socket_callbacks(CCurlEasy *easy, CCurlOpenedCallback opened, CCurlClosedCallback closed, void *context) {
    curl_easy_setopt(easy, CCURLOPT_SOCKOPTFUNCTION, opened);
    curl_easy_setopt(easy, CCURLOPT_SOCKOPTDATA, context);
    curl_easy_setopt(easy, CCURLOPT_CLOSESOCKETFUNCTION, closed);
    curl_easy_setopt(easy, CCURLOPT_CLOSESOCKETDATA, context);
}

int ccurl_set_blob(CCurlEasy *easy, int option, const void *bytes, size_t count) {
    CCurlBlob blob = {(void *)bytes, count, CCURL_BLOB_COPY};
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
    *count = 0;
    return curl_easy_send(easy, bytes, size, count);
}

int ccurl_active_socket(CCurlEasy *easy) {
    int descriptor = -1;
    curl_easy_getinfo(easy, CCURLINFO_ACTIVESOCKET, &descriptor);
    return descriptor;
}

CCurlURL *ccurl_url_init(void) { return curl_url(); }
void ccurl_url_cleanup(CCurlURL *url) { curl_url_cleanup(url); }

bool ccurl_url_parse(CCurlURL *url, const char *text) {
    // Emptied first: what is no whole URL would be taken for relative to the last one.
    curl_url_set(url, CCURLUPART_URL, NULL, 0);
    return curl_url_set(url, CCURLUPART_URL, text, 0) == CCURLUE_OK;
}

CCurlList *ccurl_list_append(CCurlList *list, const char *text) { return curl_slist_append(list, text); }
void ccurl_list_free(CCurlList *list) { curl_slist_free_all(list); }

CCurlMulti *ccurl_multi_init(void) { return curl_multi_init(); }
void ccurl_multi_cleanup(CCurlMulti *multi) { curl_multi_cleanup(multi); }
int ccurl_multi_set_long(CCurlMulti *multi, int option, long value) { return curl_multi_setopt(multi, option, value); }
int ccurl_multi_add(CCurlMulti *multi, CCurlEasy *easy) { return curl_multi_add_handle(multi, easy); }
int ccurl_multi_remove(CCurlMulti *multi, CCurlEasy *easy) { return curl_multi_remove_handle(multi, easy); }

void ccurl_multi_set_callbacks(CCurlMulti *multi, CCurlSocketCallback socket, CCurlTimerCallback timer, void *context) {
    curl_multi_setopt(multi, CCURLMOPT_SOCKETFUNCTION, socket);
    curl_multi_setopt(multi, CCURLMOPT_SOCKETDATA, context);
    curl_multi_setopt(multi, CCURLMOPT_TIMERFUNCTION, timer);
    curl_multi_setopt(multi, CCURLMOPT_TIMERDATA, context);
}

void ccurl_multi_socket_action(CCurlMulti *multi, int descriptor, int what) {
    int running = 0;
    curl_multi_socket_action(multi, descriptor, what, &running);
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
