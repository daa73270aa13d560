// Values and keys through ioredis: binary safety, long pipelines, automatic pipelining, scan streams, expiry.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { eventually } = require('../support/lockstep_server');
const { useRedis } = require('./fixture');

const { connect } = useRedis();
const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, i) => i));

for (const protocol of [2, 3]) {
  test(`binary keys and values with RESP${protocol}`, async () => {
    const client = connect({ protocol });
    const value = Buffer.concat([Buffer.from('\r\n$3\r\n'), ALL_BYTES]);
    assert.equal(await client.set(ALL_BYTES, value), 'OK');
    assert.deepEqual(await client.getBuffer(ALL_BYTES), value);
    assert.deepEqual(await client.keysBuffer('*'), [ALL_BYTES]);
  });

  test(`a pipeline of a thousand with RESP${protocol}`, async () => {
    const pipeline = connect({ protocol }).pipeline();
    for (let i = 0; i < 500; i++) pipeline.set(`k${i}`, i).get(`k${i}`);
    const replies = await pipeline.exec();
    const expected = Array.from({ length: 500 }, (_, i) => [[null, 'OK'], [null, String(i)]]).flat();
    assert.deepEqual(replies, expected);
  });
}

test('automatic pipelining', async () => {
  const client = connect({ enableAutoPipelining: true });
  const counts = await Promise.all(Array.from({ length: 1000 }, () => client.incr('n')));
  assert.deepEqual(counts, Array.from({ length: 1000 }, (_, i) => i + 1));
});

test('an error in a pipeline stops nothing', async () => {
  const replies = await connect().pipeline().set('word', 'x').incr('word').get('word').exec();
  assert.equal(replies[1][0].message, 'ERR value is not an integer or out of range');
  assert.deepEqual([replies[0], replies[2]], [[null, 'OK'], [null, 'x']]);
});

test('a large value comes back whole', async () => {
  const client = connect();
  const large = Buffer.alloc(4 << 20, ALL_BYTES);
  await client.set('large', large);
  assert.ok(large.equals(await client.getBuffer('large')));
});

test('scan stream meets every key', async () => {
  const client = connect();
  const locks = Array.from({ length: 500 }, (_, i) => `lock:${i}`);
  await client.mset(Object.fromEntries([...locks.map((k) => [k, 1]), ...locks.map((k) => [`x${k}`, 1])]));
  const found = new Set();
  for await (const keys of client.scanStream({ match: 'lock:*', count: 50 })) keys.forEach((key) => found.add(key));
  assert.deepEqual([...found].sort(), locks.sort());
});

test('keys go with nobody touching them', async () => {
  const client = connect();
  await Promise.all(Array.from({ length: 50 }, (_, i) => client.set(`k${i}`, 'v', 'PX', 50)));
  await eventually(async () => (await client.dbsize()) === 0, '50 keys expire');
});
