// Limits how many tests Swift Testing runs at the same time, unless the environment has another limit. Without a limit,
// all tests start at once, and their servers and transports need 7,000 descriptors; many systems allow a process 1,024.
//
// Swift Testing reads the limit from the environment before the first test, so it is set when the process starts.

#include <stdlib.h>

__attribute__((constructor)) static void limit_width(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "32", 0);
}
