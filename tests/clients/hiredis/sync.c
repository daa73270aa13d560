/* hiredis' blocking interface: the types of replies, a lock with a token, scripts, pipelines, transactions, waiting.
   Called by main.c. hiredis sends nothing by itself and speaks RESP2. */
#include <errno.h>
#include <hiredis.h>
#include <string.h>
#include <sys/time.h>

#include "check.h"

static const char release[] =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

static redisContext *connect_to(int port) {
    redisContext *c = redisConnectWithTimeout(HOST, port, (struct timeval){30, 0});
    CHECK(c != NULL && c->err == 0);
    CHECK(redisSetTimeout(c, (struct timeval){30, 0}) == REDIS_OK);
    return c;
}

static int is_text(const redisReply *reply, int type, const char *text) {
    return reply != NULL && reply->type == type && reply->len == strlen(text) && memcmp(reply->str, text, reply->len) == 0;
}

/* Each takes over the reply. */
static void expect_text(redisReply *reply, int type, const char *text) {
    if (!is_text(reply, type, text)) {
        fprintf(stderr, "expected %s, got %s\n", text, reply != NULL && reply->str != NULL ? reply->str : "something else");
        exit(1);
    }
    freeReplyObject(reply);
}

static void expect_status(redisReply *reply, const char *text) { expect_text(reply, REDIS_REPLY_STATUS, text); }
static void expect_string(redisReply *reply, const char *text) { expect_text(reply, REDIS_REPLY_STRING, text); }
static void expect_error(redisReply *reply, const char *text) { expect_text(reply, REDIS_REPLY_ERROR, text); }

static void expect_integer(redisReply *reply, long long value) {
    CHECK(reply != NULL && reply->type == REDIS_REPLY_INTEGER && reply->integer == value);
    freeReplyObject(reply);
}

static void expect_nil(redisReply *reply) {
    CHECK(reply != NULL && reply->type == REDIS_REPLY_NIL);
    freeReplyObject(reply);
}

void check_replies(int port) {
    redisContext *c = connect_to(port);
    expect_status(redisCommand(c, "PING"), "PONG");
    expect_string(redisCommand(c, "ECHO %s", "two words"), "two words");
    expect_status(redisCommand(c, "SET %b %b", "a\0b", (size_t)3, "x\r\n\0y", (size_t)5), "OK");
    redisReply *bytes = redisCommand(c, "GET %b", "a\0b", (size_t)3);
    CHECK(bytes->type == REDIS_REPLY_STRING && bytes->len == 5 && memcmp(bytes->str, "x\r\n\0y", 5) == 0);
    freeReplyObject(bytes);
    expect_status(redisCommand(c, "SET empty %s", ""), "OK");
    expect_string(redisCommand(c, "GET empty"), "");
    expect_nil(redisCommand(c, "GET none"));
    expect_integer(redisCommand(c, "INCRBY n %lld", 9223372036854775807LL), 9223372036854775807LL);
    expect_error(redisCommand(c, "INCR n"), "ERR increment or decrement would overflow");
    expect_error(redisCommand(c, "NOSUCH %s", "x"), "ERR unknown command 'NOSUCH', with args beginning with: 'x' ");
    redisReply *nested = redisCommand(c, "EVAL %s 0", "return {1, {'two', {3}}, false, redis.status_reply('FOUR')}");
    CHECK(nested->type == REDIS_REPLY_ARRAY && nested->elements == 4);
    CHECK(nested->element[1]->elements == 2 && nested->element[1]->element[1]->element[0]->integer == 3);
    CHECK(nested->element[2]->type == REDIS_REPLY_NIL);
    CHECK(is_text(nested->element[3], REDIS_REPLY_STATUS, "FOUR"));
    freeReplyObject(nested);
    redisFree(c);
}

void check_token_lock(int port) {
    redisContext *a = connect_to(port), *b = connect_to(port);
    expect_status(redisCommand(a, "SET lock %s NX PX %d", "a's", 30000), "OK");
    expect_nil(redisCommand(b, "SET lock %s NX PX %d", "b's", 30000));
    expect_integer(redisCommand(b, "EVAL %s 1 lock %s", release, "b's"), 0);
    redisReply *ttl = redisCommand(b, "PTTL lock");
    CHECK(ttl->integer > 0 && ttl->integer <= 30000);
    freeReplyObject(ttl);
    expect_integer(redisCommand(a, "EVAL %s 1 lock %s", release, "a's"), 1);
    expect_status(redisCommand(b, "SET lock %s NX PX %d", "b's", 30000), "OK");
    redisFree(a);
    redisFree(b);
}

void check_script_by_digest(int port) {
    redisContext *c = connect_to(port);
    expect_error(redisCommand(c, "EVALSHA %s 1 lock token", "0000000000000000000000000000000000000000"),
                 "NOSCRIPT No matching script. Please use EVAL.");
    redisReply *digest = redisCommand(c, "SCRIPT LOAD %s", release);
    CHECK(digest->type == REDIS_REPLY_STRING && digest->len == 40);
    expect_status(redisCommand(c, "SET lock token"), "OK");
    expect_integer(redisCommand(c, "EVALSHA %s 1 lock %s", digest->str, "other"), 0);
    expect_integer(redisCommand(c, "EVALSHA %s 1 lock %s", digest->str, "token"), 1);
    freeReplyObject(digest);
    redisFree(c);
}

void check_pipeline(int port) {
    enum { kCommands = 10000 };
    redisContext *c = connect_to(port);
    for (int i = 0; i < kCommands; i++) {
        CHECK(redisAppendCommand(c, "INCR n") == REDIS_OK);
    }
    for (int i = 1; i <= kCommands; i++) {
        redisReply *reply = NULL;
        CHECK(redisGetReply(c, (void **)&reply) == REDIS_OK);
        expect_integer(reply, i);
    }
    redisFree(c);
}

void check_transaction(int port) {
    redisContext *c = connect_to(port), *other = connect_to(port);
    expect_status(redisCommand(c, "SET version 3"), "OK");
    expect_status(redisCommand(c, "WATCH version"), "OK");
    expect_status(redisCommand(other, "SET version 4"), "OK");
    expect_status(redisCommand(c, "MULTI"), "OK");
    expect_status(redisCommand(c, "SET version 5"), "QUEUED");
    expect_nil(redisCommand(c, "EXEC"));
    expect_status(redisCommand(c, "MULTI"), "OK");
    expect_status(redisCommand(c, "INCR version"), "QUEUED");
    expect_status(redisCommand(c, "LPUSH version x"), "QUEUED");
    redisReply *replies = redisCommand(c, "EXEC");
    CHECK(replies->type == REDIS_REPLY_ARRAY && replies->elements == 2 && replies->element[0]->integer == 5);
    CHECK(is_text(replies->element[1], REDIS_REPLY_ERROR, "WRONGTYPE Operation against a key holding the wrong kind of value"));
    freeReplyObject(replies);
    redisFree(c);
    redisFree(other);
}

/* Commands without replies are sent, not called: a call would wait for one. */
void check_reply_off(int port) {
    redisContext *c = connect_to(port);
    const char *const silent[] = {"CLIENT REPLY SKIP", "INCR n", "CLIENT REPLY OFF",
                                  "INCR n",            "NOSUCH", "CLIENT REPLY ON"};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++) {
        CHECK(redisAppendCommand(c, silent[i]) == REDIS_OK);
    }
    CHECK(redisAppendCommand(c, "GET n") == REDIS_OK);
    redisReply *reply = NULL;
    CHECK(redisGetReply(c, (void **)&reply) == REDIS_OK);
    expect_status(reply, "OK"); /* of REPLY ON */
    CHECK(redisGetReply(c, (void **)&reply) == REDIS_OK);
    expect_string(reply, "2");
    redisFree(c);
}

/* BLPOP is sent, and answered when another connection pushes. */
void check_blocking(int port) {
    redisContext *c = connect_to(port), *other = connect_to(port);
    CHECK(redisAppendCommand(c, "BLPOP turn 30") == REDIS_OK);
    int written = 0;
    while (!written) {
        CHECK(redisBufferWrite(c, &written) == REDIS_OK);
    }
    expect_integer(redisCommand(other, "RPUSH turn %s", "yours"), 1);
    redisReply *reply = NULL;
    CHECK(redisGetReply(c, (void **)&reply) == REDIS_OK);
    CHECK(reply->type == REDIS_REPLY_ARRAY && reply->elements == 2);
    CHECK(is_text(reply->element[0], REDIS_REPLY_STRING, "turn") && is_text(reply->element[1], REDIS_REPLY_STRING, "yours"));
    freeReplyObject(reply);
    expect_nil(redisCommand(c, "BLPOP turn 0.01"));
    redisFree(c);
    redisFree(other);
}

/* hiredis gives up first; the server forgets the waiter, and nothing is eaten by it. */
void check_time_out(int port) {
    redisContext *c = connect_to(port), *other = connect_to(port);
    CHECK(redisSetTimeout(c, (struct timeval){0, 50000}) == REDIS_OK);
    CHECK(redisCommand(c, "BLPOP turn 30") == NULL);
    CHECK(c->err == REDIS_ERR_IO && errno == EAGAIN);
    redisFree(c);
    for (int waiting = 1; waiting;) {
        redisReply *info = redisCommand(other, "INFO clients");
        waiting = strstr(info->str, "blocked_clients:0\r\n") == NULL;
        freeReplyObject(info);
    }
    expect_integer(redisCommand(other, "RPUSH turn %s", "nobody's"), 1);
    expect_string(redisCommand(other, "LPOP turn"), "nobody's");
    redisFree(other);
}
