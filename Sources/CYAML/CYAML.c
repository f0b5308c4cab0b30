#include "CYAML.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The parts of libyaml's binary interface that are used here. Version 0.2 has had it since 2018.

typedef struct {
    size_t index;
    size_t line;
    size_t column;
} mark;

typedef struct {
    int error;
    const char *problem;
    size_t problem_offset;
    int problem_value;
    mark problem_mark;
} parser_head;

typedef struct {
    int type;
    union {
        struct {
            const char *anchor;
        } alias;
        struct {
            const char *anchor;
            const char *tag;
            const uint8_t *value;
            size_t length;
            int plain_implicit;
            int quoted_implicit;
            int style;
        } scalar;
        struct {
            const char *anchor;
            const char *tag;
            int implicit;
            int style;
        } start;
        uint8_t size[48];
    } data;
    mark start_mark;
    mark end_mark;
} event;

enum { encoding_utf8 = 1, style_plain = 1, parser_size = 1024 };

struct errand_yaml_parser {
    // libyaml 0.2 uses 480 bytes of it.
    union {
        parser_head head;
        uint8_t size[parser_size];
    } state;
    event event;
    int has_event;
};

static struct {
    int (*initialize)(void *);
    void (*set_input)(void *, const uint8_t *, size_t);
    void (*set_encoding)(void *, int);
    int (*parse)(void *, event *);
    void (*delete_event)(event *);
    void (*delete_parser)(void *);
    int is_complete;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    static const char *const names[] = {
        "libyaml-0.so.2", "libyaml-0.2.dylib", "/opt/homebrew/lib/libyaml-0.2.dylib", "/usr/local/lib/libyaml-0.2.dylib",
    };
    void *handle = NULL;
    for (size_t index = 0; handle == NULL && index < sizeof names / sizeof *names; index++) {
        handle = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    }
    if (handle == NULL) return;
    *(void **)&library.initialize = dlsym(handle, "yaml_parser_initialize");
    *(void **)&library.set_input = dlsym(handle, "yaml_parser_set_input_string");
    *(void **)&library.set_encoding = dlsym(handle, "yaml_parser_set_encoding");
    *(void **)&library.parse = dlsym(handle, "yaml_parser_parse");
    *(void **)&library.delete_event = dlsym(handle, "yaml_event_delete");
    *(void **)&library.delete_parser = dlsym(handle, "yaml_parser_delete");
    library.is_complete = library.initialize && library.set_input && library.set_encoding && library.parse
        && library.delete_event && library.delete_parser;
}

int errand_yaml_is_available(void) {
    pthread_once(&once, load);
    return library.is_complete;
}

errand_yaml_parser *errand_yaml_open(const uint8_t *bytes, size_t count) {
    if (!errand_yaml_is_available()) return NULL;
    errand_yaml_parser *parser = calloc(1, sizeof *parser);
    if (parser == NULL) return NULL;
    if (!library.initialize(&parser->state)) {
        free(parser);
        return NULL;
    }
    library.set_encoding(&parser->state, encoding_utf8);
    library.set_input(&parser->state, bytes, count);
    return parser;
}

int errand_yaml_next(errand_yaml_parser *parser, errand_yaml_event *result) {
    if (parser->has_event) library.delete_event(&parser->event);
    parser->has_event = library.parse(&parser->state, &parser->event);
    if (!parser->has_event) return 0;
    memset(result, 0, sizeof *result);
    const event *read = &parser->event;
    result->kind = (errand_yaml_kind)read->type;
    result->offset = read->start_mark.index;
    switch (result->kind) {
    case errand_yaml_alias:
        result->anchor = read->data.alias.anchor;
        break;
    case errand_yaml_scalar:
        result->anchor = read->data.scalar.anchor;
        result->tag = read->data.scalar.tag;
        result->text = read->data.scalar.value;
        result->length = read->data.scalar.length;
        result->is_plain = read->data.scalar.style == style_plain;
        break;
    case errand_yaml_sequence_start:
    case errand_yaml_mapping_start:
        result->anchor = read->data.start.anchor;
        result->tag = read->data.start.tag;
        break;
    default:
        break;
    }
    return 1;
}

const char *errand_yaml_problem(const errand_yaml_parser *parser, size_t *offset) {
    const parser_head *head = &parser->state.head;
    // For bytes that are not UTF-8, only their own offset is known.
    *offset = head->problem_mark.index ? head->problem_mark.index : head->problem_offset;
    return head->problem;
}

void errand_yaml_close(errand_yaml_parser *parser) {
    if (parser->has_event) library.delete_event(&parser->event);
    library.delete_parser(&parser->state);
    free(parser);
}
