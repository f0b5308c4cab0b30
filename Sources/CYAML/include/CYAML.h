#ifndef CYAML_H
#define CYAML_H

#include <stddef.h>
#include <stdint.h>

// A reader of YAML events. It calls libyaml 0.2, which it opens when the first document is read, so that a program
// builds and runs without it.

typedef struct errand_yaml_parser errand_yaml_parser;

typedef enum {
    errand_yaml_stream_start = 1,
    errand_yaml_stream_end,
    errand_yaml_document_start,
    errand_yaml_document_end,
    errand_yaml_alias,
    errand_yaml_scalar,
    errand_yaml_sequence_start,
    errand_yaml_sequence_end,
    errand_yaml_mapping_start,
    errand_yaml_mapping_end,
} errand_yaml_kind;

// The texts are valid until the next call with the same parser.
typedef struct {
    errand_yaml_kind kind;
    // NULL for a node without an anchor.
    const char *anchor;
    const char *tag;
    const uint8_t *text;
    size_t length;
    // Whether a scalar has neither quotes nor a block indicator.
    int is_plain;
    // The number of characters before the event.
    size_t offset;
} errand_yaml_event;

// Returns 0 if libyaml is not installed.
int errand_yaml_is_available(void);

// The bytes must stay valid until the parser is closed. Returns NULL without libyaml or memory.
errand_yaml_parser *errand_yaml_open(const uint8_t *bytes, size_t count);

// Returns 0 for a document that is not YAML.
int errand_yaml_next(errand_yaml_parser *parser, errand_yaml_event *event);

// The reason of the failure, and the number of characters before it.
const char *errand_yaml_problem(const errand_yaml_parser *parser, size_t *offset);

void errand_yaml_close(errand_yaml_parser *parser);

#endif
