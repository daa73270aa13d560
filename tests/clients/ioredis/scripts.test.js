// Scripts through ioredis: eval, defined commands and their way through NOSCRIPT, replies, errors.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { RELEASE, useRedis } = require('./fixture');

const { connect } = useRedis();

for (const protocol of [2, 3]) {
  test(`replies with RESP${protocol}`, async () => {
    const client = connect({ protocol });
    assert.equal(await client.eval('return 3.99', 0), 3);
    assert.deepEqual(await client.eval('return {1, 2.5, "x", false, true, nil, 7}', 0), [1, 2, 'x', null, 1]);
    assert.deepEqual(await client.eval('return {KEYS[1], ARGV[1], ARGV[2]}', 1, 'k', 'a', ''), ['k', 'a', '']);
    assert.equal(await client.eval('return redis.status_reply("FINE")', 0), 'FINE');
  });
}

test('a defined command: EVAL first, EVALSHA then, EVAL again after SCRIPT FLUSH', async () => {
  const client = connect();
  client.defineCommand('release', { numberOfKeys: 1, lua: RELEASE });
  await client.set('lock', 'mine');
  assert.equal(await client.release('lock', 'other'), 0);
  assert.equal(await client.release('lock', 'other'), 0);
  await client.script('FLUSH');
  assert.equal(await client.release('lock', 'mine'), 1);
  assert.equal(await client.exists('lock'), 0);
});

test('a defined command in a pipeline and in a transaction', async () => {
  const client = connect();
  client.defineCommand('release', { numberOfKeys: 1, lua: RELEASE });
  const replies = [[null, 'OK'], [null, 1]];
  assert.deepEqual(await client.pipeline().set('lock', 'mine').release('lock', 'mine').exec(), replies);
  assert.deepEqual(await client.multi().set('lock', 'mine').release('lock', 'mine').exec(), replies);
});

test('load, exists, evalsha', async () => {
  const client = connect();
  const sha = await client.script('LOAD', 'return ARGV[1]');
  assert.match(sha, /^[0-9a-f]{40}$/);
  assert.deepEqual(await client.script('EXISTS', sha, '0'.repeat(40)), [1, 0]);
  assert.equal(await client.evalsha(sha, 0, 'hello'), 'hello');
  await assert.rejects(client.evalsha('0'.repeat(40), 0), { message: 'NOSCRIPT No matching script. Please use EVAL.' });
});

test('errors', async () => {
  const client = connect();
  await assert.rejects(client.eval('return redis.error_reply("MINE is this")', 0), { message: 'MINE is this' });
  await assert.rejects(client.eval('\nerror("boom")', 0), {
    message: /^ERR user_script:2: boom script: [0-9a-f]{40}, on @user_script:2\.$/,
  });
  await assert.rejects(client.eval('return redis.call("nosuch")', 0), {
    message: /^ERR Unknown Redis command called from script script: [0-9a-f]{40}, on @user_script:1\.$/,
  });
});
