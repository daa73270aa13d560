/* Runs one check: `checks NAME PORT`. Compiled and started by test_hiredis.py. */
#include <string.h>

#include "check.h"

static const struct {
    const char *name;
    void (*run)(int port);
} checks[] = {
    {"replies", check_replies},
    {"token_lock", check_token_lock},
    {"script_by_digest", check_script_by_digest},
    {"pipeline", check_pipeline},
    {"transaction", check_transaction},
    {"reply_off", check_reply_off},
    {"blocking", check_blocking},
    {"time_out", check_time_out},
    {"async_commands", check_async_commands},
    {"async_pub_sub", check_async_pub_sub},
    {"async_lock_hand_over", check_async_lock_hand_over},
};

int main(int argc, char **argv) {
    CHECK(argc == 3);
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (strcmp(argv[1], checks[i].name) == 0) {
            checks[i].run(atoi(argv[2]));
            return 0;
        }
    }
    fprintf(stderr, "no check %s\n", argv[1]);
    return 2;
}
