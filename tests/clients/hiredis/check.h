/* What the checks written with hiredis share: CHECK, and the list of checks that main.c calls by name. */
#ifndef LOCKSTEP_TESTS_CLIENTS_HIREDIS_CHECK_H
#define LOCKSTEP_TESTS_CLIENTS_HIREDIS_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define HOST "127.0.0.1"

/* Ends the program with status 1 and says where. */
#define CHECK(condition)                                                            \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

/* A check gets the port of a server without keys. sync.c: */
void check_replies(int port);
void check_token_lock(int port);
void check_script_by_digest(int port);
void check_pipeline(int port);
void check_transaction(int port);
void check_reply_off(int port);
void check_blocking(int port);
void check_time_out(int port);
/* async.c: */
void check_async_commands(int port);
void check_async_pub_sub(int port);
void check_async_lock_hand_over(int port);

#endif
