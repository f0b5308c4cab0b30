// The parts of the system's zlib (soname 1) and, if installed, of its Brotli and Zstandard decoders (soname 1) that
// Errand uses. They are declared here so that building needs no -dev package. In most cases, libcurl loads these
// libraries into the process.
//
// `.ci/deep-steps/check-curl-header` compares zlib's layout and constants with the real header.

#ifndef CCOMPRESSION_H
#define CCOMPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The state of a decompression, in any format.
typedef struct CDecoder CDecoder;

typedef enum CDecoderFormat {
    CDECODER_GZIP,
    CDECODER_ZLIB,
    CDECODER_RAW_DEFLATE,
    CDECODER_BROTLI,
    CDECODER_ZSTANDARD,
} CDecoderFormat;

typedef enum CDecoderResult {
    // All input is used, or the output is full: call again with more input or more room.
    CDECODER_MORE,
    // The compressed stream has ended and was complete.
    CDECODER_END,
    // The input is invalid for this format.
    CDECODER_BROKEN,
} CDecoderResult;

// Returns whether this system can decode a format.
bool cdecoder_supports(CDecoderFormat format);
// Creates a decoder. Returns NULL if memory runs out or the format is not supported.
CDecoder *cdecoder_create(CDecoderFormat format);
void cdecoder_destroy(CDecoder *decoder);
// Decodes from `*input` into `*output` and advances both.
CDecoderResult cdecoder_decode(
    CDecoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count);

// Resets the decoder, so that another body can follow. Returns false for Brotli, or if the reset fails.
bool cdecoder_reset(CDecoder *decoder);
// After the end of a raw deflate stream, prepares for another one, which may refer to earlier data. Returns false for
// other formats, or if memory runs out.
bool cdecoder_continue(CDecoder *decoder);

// The state of a compression.
typedef struct CEncoder CEncoder;

typedef enum CEncoderResult {
    // All input is used, or the output is full: call again with more input or more room.
    CENCODER_MORE,
    // The compressed stream has ended.
    CENCODER_END,
    // It was called after the end of the stream.
    CENCODER_FAILED,
} CEncoderResult;

// Creates a gzip encoder. Returns NULL if memory runs out.
CEncoder *cencoder_create(void);
// Creates an encoder for a raw deflate stream with a window of 2^window_bits bytes, for `cencoder_flush`. Returns NULL
// if window_bits is not in 9 to 15, or if memory runs out.
CEncoder *cencoder_create_raw(int window_bits);
void cencoder_destroy(CEncoder *encoder);
// Encodes from `*input` into `*output` and advances both. `is_last` means that no data follows this input. After that,
// every call until the end must set `is_last`.
CEncoderResult cencoder_encode(
    CEncoder *encoder, const uint8_t **input, size_t *input_count, bool is_last, uint8_t **output,
    size_t *output_count);
// Encodes all of the input and ends on a byte boundary with an empty stored block (Z_SYNC_FLUSH). Call it until the
// output has room left.
CEncoderResult cencoder_flush(
    CEncoder *encoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count);
// Resets the encoder.
bool cencoder_reset(CEncoder *encoder);

#endif
