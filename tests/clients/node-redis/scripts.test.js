// Scripts through node-redis: eval, defined scripts and their way through NOSCRIPT, replies, errors.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { defineScript } = require('redis');
const { RELEASE, useRedis } = require('./fixture');

const { connect } = useRedis();
const scripts = {
  release: defineScript({
    SCRIPT: RELEASE,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, key, token) {
      parser.pushKey(key);
      parser.push(token);
    },
    transformReply: (reply) => reply === 1,
  }),
};

for (const RESP of [2, 3]) {
  test(`replies with RESP${RESP}`, async () => {
    const client = await connect({ RESP });
    assert.equal(await client.eval('return 3.99'), 3);
    assert.deepEqual(await client.eval('return {1, 2.5, "x", false, true, nil, 7}'), [1, 2, 'x', null, 1]);
    assert.deepEqual(await client.eval('return {KEYS[1], ARGV[1], ARGV[2]}', { keys: ['k'], arguments: ['a', ''] }),
      ['k', 'a', '']);
    assert.equal(await client.eval('return redis.status_reply("FINE")'), 'FINE');
  });

  test(`a defined script: EVALSHA first, EVAL when it is missing, with RESP${RESP}`, async () => {
    const client = await connect({ RESP, scripts });
    await client.set('lock', 'mine');
    assert.deepEqual(await client.scriptExists([scripts.release.SHA1]), [0]);
    assert.equal(await client.release('lock', 'other'), false);
    assert.deepEqual(await client.scriptExists([scripts.release.SHA1]), [1]);
    await client.scriptFlush();
    assert.equal(await client.release('lock', 'mine'), true);
    assert.equal(await client.exists('lock'), 0);
  });
}

test('a defined script in a transaction', async () => {
  const client = await connect({ scripts });
  assert.deepEqual(await client.multi().set('lock', 'mine').release('lock', 'mine').exec(), ['OK', true]);
});

test('load and evalsha', async () => {
  const client = await connect();
  const sha = await client.scriptLoad('return ARGV[1]');
  assert.equal(await client.evalSha(sha, { arguments: ['hello'] }), 'hello');
  await assert.rejects(client.evalSha('0'.repeat(40)), { message: 'NOSCRIPT No matching script. Please use EVAL.' });
});

test('read-only form', async () => {
  const client = await connect();
  assert.equal(await client.evalRo('return redis.call("exists", KEYS[1])', { keys: ['k'] }), 0);
  await assert.rejects(client.evalRo('return redis.call("set", KEYS[1], "v")', { keys: ['k'] }), {
    message: /^ERR Write commands are not allowed from read-only scripts\./,
  });
});

test('errors', async () => {
  const client = await connect();
  await assert.rejects(client.eval('return {err = "MINE is this"}'), { message: 'MINE is this' });
  await assert.rejects(client.eval('\nerror("boom")'), {
    message: /^ERR user_script:2: boom script: [0-9a-f]{40}, on @user_script:2\.$/,
  });
});
