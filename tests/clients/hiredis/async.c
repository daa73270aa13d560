/* hiredis' interface of callbacks, on a libuv loop: many commands in flight, pub/sub, and a lock that is handed over by
   a message. Called by main.c. The loop ends when all connections are closed, or fails after half a minute. */
#include <hiredis.h>
/* the adapter needs hiredis.h first */
#include <adapters/libuv.h>
#include <async.h>
#include <string.h>

#include "check.h"

static uv_loop_t loop;
static uv_timer_t limit;

static void too_late(uv_timer_t *timer) {
    (void)timer;
    CHECK(!"the loop ends within half a minute");
}

static void begin(void) {
    CHECK(uv_loop_init(&loop) == 0);
    CHECK(uv_timer_init(&loop, &limit) == 0);
    CHECK(uv_timer_start(&limit, too_late, 30000, 0) == 0);
    uv_unref((uv_handle_t *)&limit); /* it does not keep the loop going */
}

static void run_to_the_end(void) { CHECK(uv_run(&loop, UV_RUN_DEFAULT) == 0); }

static void on_connect(const redisAsyncContext *c, int status) {
    (void)c;
    CHECK(status == REDIS_OK);
}

static redisAsyncContext *connect_to(int port) {
    redisAsyncContext *c = redisAsyncConnect(HOST, port);
    CHECK(c != NULL && c->err == 0);
    CHECK(redisLibuvAttach(c, &loop) == REDIS_OK);
    CHECK(redisAsyncSetConnectCallback(c, on_connect) == REDIS_OK);
    CHECK(redisAsyncSetDisconnectCallback(c, on_connect) == REDIS_OK); /* it ends as orderly as it began */
    return c;
}

/* --- many commands in flight --- */

enum { kCommands = 1000 };
static long long answered;

static void on_count(redisAsyncContext *c, void *r, void *data) {
    const redisReply *reply = r;
    (void)data;
    CHECK(reply != NULL && reply->type == REDIS_REPLY_INTEGER && reply->integer == ++answered);
    if (answered == kCommands) {
        redisAsyncDisconnect(c);
    }
}

void check_async_commands(int port) {
    begin();
    redisAsyncContext *c = connect_to(port);
    for (int i = 0; i < kCommands; i++) {
        CHECK(redisAsyncCommand(c, on_count, NULL, "INCR n") == REDIS_OK);
    }
    run_to_the_end();
    CHECK(answered == kCommands);
}

/* --- pub/sub --- */

static redisAsyncContext *subscriber, *publisher;
static int step;

/* Whether the reply is an array of these three words; numbers are written as words. */
static int is_push(const redisReply *reply, const char *kind, const char *channel, const char *last) {
    char number[32] = "";
    CHECK(reply != NULL && reply->type == REDIS_REPLY_ARRAY && reply->elements >= 3);
    const redisReply *end = reply->element[reply->elements - 1];
    snprintf(number, sizeof number, "%lld", end->integer);
    return strcmp(reply->element[0]->str, kind) == 0 && strcmp(reply->element[1]->str, channel) == 0 &&
           strcmp(end->type == REDIS_REPLY_INTEGER ? number : end->str, last) == 0;
}

static void on_pattern(redisAsyncContext *c, void *r, void *data) {
    (void)data;
    switch (step++) {
        case 2:
            CHECK(is_push(r, "psubscribe", "lock:*", "2"));
            redisAsyncCommand(publisher, NULL, NULL, "PUBLISH lock:7 %s", "by the pattern");
            break;
        case 3:
            CHECK(is_push(r, "pmessage", "lock:*", "by the pattern"));
            redisAsyncCommand(c, NULL, NULL, "UNSUBSCRIBE");
            redisAsyncCommand(c, NULL, NULL, "PUNSUBSCRIBE");
            break;
        default:
            CHECK(is_push(r, "punsubscribe", "lock:*", "0"));
            redisAsyncDisconnect(c);
            redisAsyncDisconnect(publisher);
    }
}

static void on_channel(redisAsyncContext *c, void *r, void *data) {
    (void)data;
    switch (step++) {
        case 0:
            CHECK(is_push(r, "subscribe", "news", "1"));
            redisAsyncCommand(publisher, NULL, NULL, "PUBLISH news %s", "two words");
            break;
        case 1:
            CHECK(is_push(r, "message", "news", "two words"));
            redisAsyncCommand(c, on_pattern, NULL, "PSUBSCRIBE lock:*");
            break;
        default:
            CHECK(is_push(r, "unsubscribe", "news", "1"));
    }
}

void check_async_pub_sub(int port) {
    begin();
    subscriber = connect_to(port);
    publisher = connect_to(port);
    redisAsyncCommand(subscriber, on_channel, NULL, "SUBSCRIBE news");
    run_to_the_end();
    CHECK(step == 6);
}

/* --- a lock, handed over by the message of its release --- */

static redisAsyncContext *holder, *waiter;
static int attempts;
static int taken;

static void on_release(redisAsyncContext *c, void *r, void *data) {
    const redisReply *reply = r;
    (void)data;
    CHECK(reply != NULL && reply->type == REDIS_REPLY_INTEGER && reply->integer == 1);
    redisAsyncDisconnect(c);
}

static void on_attempt(redisAsyncContext *c, void *r, void *data) {
    const redisReply *reply = r;
    (void)data;
    attempts++;
    CHECK(reply != NULL);
    if (reply->type == REDIS_REPLY_NIL) { /* we are told of the release: now it may come */
        redisAsyncCommand(holder, on_release, NULL, "EVAL %s 1 lock h",
                          "redis.call('del', KEYS[1]) return redis.call('publish', KEYS[1], 'released')");
        return;
    }
    CHECK(reply->type == REDIS_REPLY_STATUS);
    taken = 1;
    redisAsyncDisconnect(c);
    redisAsyncDisconnect(subscriber);
}

static void try_lock(void) { redisAsyncCommand(waiter, on_attempt, NULL, "SET lock w NX PX 30000"); }

static void on_told(redisAsyncContext *c, void *r, void *data) {
    (void)c, (void)data;
    if (r == NULL) { /* hiredis tells that the connection closes */
        return;
    }
    CHECK(is_push(r, "subscribe", "lock", "1") || is_push(r, "message", "lock", "released"));
    try_lock();
}

static void on_held(redisAsyncContext *c, void *r, void *data) {
    const redisReply *reply = r;
    (void)c, (void)data;
    CHECK(reply != NULL && reply->type == REDIS_REPLY_STATUS && strcmp(reply->str, "OK") == 0);
    redisAsyncCommand(subscriber, on_told, NULL, "SUBSCRIBE lock");
}

void check_async_lock_hand_over(int port) {
    begin();
    holder = connect_to(port);
    waiter = connect_to(port);
    subscriber = connect_to(port);
    redisAsyncCommand(holder, on_held, NULL, "SET lock h NX PX 30000");
    run_to_the_end();
    CHECK(taken && attempts == 2);
}
