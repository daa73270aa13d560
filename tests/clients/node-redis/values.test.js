// Values and keys through node-redis: binary safety, a thousand commands at once, scan iterators, expiry.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { RESP_TYPES } = require('redis');
const { eventually } = require('../support/lockstep_server');
const { useRedis } = require('./fixture');

const { connect } = useRedis();
const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, i) => i));

for (const RESP of [2, 3]) {
  test(`binary keys and values with RESP${RESP}`, async () => {
    const client = (await connect({ RESP })).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
    const value = Buffer.concat([Buffer.from('\r\n$3\r\n'), ALL_BYTES]);
    await client.set(ALL_BYTES, value);
    assert.deepEqual(await client.get(ALL_BYTES), value);
    assert.deepEqual(await client.keys('*'), [ALL_BYTES]);
  });

  test(`a thousand commands of one tick with RESP${RESP}`, async () => {
    const client = await connect({ RESP });
    const sets = Array.from({ length: 500 }, (_, i) => client.set(`k${i}`, `v${i}`));
    const gets = Array.from({ length: 500 }, (_, i) => client.get(`k${i}`));
    assert.deepEqual(await Promise.all(sets), Array(500).fill('OK'));
    assert.deepEqual(await Promise.all(gets), Array.from({ length: 500 }, (_, i) => `v${i}`));
  });

  test(`options of SET with RESP${RESP}`, async () => {
    const client = await connect({ RESP });
    assert.equal(await client.set('k', '1', { condition: 'NX', expiration: { type: 'PX', value: 60_000 } }), 'OK');
    assert.equal(await client.set('k', '2', { NX: true }), null);
    assert.equal(await client.set('k', '3', { XX: true, GET: true, KEEPTTL: true }), '1');
    assert.ok((await client.pTTL('k')) > 30_000);
    assert.equal(await client.getDel('k'), '3');
    assert.equal(await client.get('k'), null);
  });
}

test('a pipeline of a thousand', async () => {
  const pipeline = (await connect()).multi();
  for (let i = 0; i < 1000; i++) pipeline.incr('n');
  assert.deepEqual(await pipeline.execAsPipeline(), Array.from({ length: 1000 }, (_, i) => i + 1));
});

test('a large value comes back whole', async () => {
  const client = await connect();
  const large = 'äx'.repeat(1 << 20);
  await client.set('large', large);
  assert.ok((await client.get('large')) === large);
  assert.equal(await client.strLen('large'), Buffer.byteLength(large));
});

test('error replies', async () => {
  const client = await connect();
  await client.set('word', 'x');
  await assert.rejects(client.incr('word'), { message: 'ERR value is not an integer or out of range' });
  await assert.rejects(client.sendCommand(['NOSUCH', 'a']), {
    message: "ERR unknown command 'NOSUCH', with args beginning with: 'a' ",
  });
});

test('scan iterator meets every key', async () => {
  const client = await connect();
  const locks = Array.from({ length: 500 }, (_, i) => `lock:${i}`);
  await client.mSet(Object.fromEntries([...locks.map((k) => [k, '1']), ...locks.map((k) => [`x${k}`, '1'])]));
  const found = new Set();
  for await (const keys of client.scanIterator({ MATCH: 'lock:*', COUNT: 50, TYPE: 'string' })) {
    keys.forEach((key) => found.add(key));
  }
  assert.deepEqual([...found].sort(), locks.sort());
});

test('keys go with nobody touching them', async () => {
  const client = await connect();
  await Promise.all(Array.from({ length: 50 }, (_, i) => client.set(`k${i}`, 'v', { PX: 50 })));
  await eventually(async () => (await client.dbSize()) === 0, '50 keys expire');
});
