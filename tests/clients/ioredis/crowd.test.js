// A hundred buyers at once, each with a connection of its own, for ten pairs of sneakers: ten get one,
// ninety are told that it is sold out. The stock is a key that is read and written back under the lock.
'use strict';

const assert = require('node:assert/strict');
const { randomUUID } = require('node:crypto');
const { test } = require('node:test');
const { delay } = require('../support/lockstep_server');
const { RELEASE, useRedis } = require('./fixture');

const { connect } = useRedis();
const BUYERS = 100;
const STOCK = 10;

async function buy(redis) {
  const token = randomUUID();
  while (!(await redis.set('lock', token, 'PX', 30_000, 'NX'))) await delay(5 + Math.random() * 20);
  try {
    const stock = Number(await redis.get('stock'));
    if (stock < 1) return 'sold out';
    await redis.set('stock', stock - 1);
    return stock - 1;
  } finally {
    assert.equal(await redis.eval(RELEASE, 1, 'lock', token), 1);
  }
}

test('never oversold', async () => {
  const admin = connect();
  await admin.set('stock', STOCK);
  const clients = Array.from({ length: BUYERS }, () => connect());
  await Promise.all(clients.map((client) => client.ping()));
  const results = await Promise.all(clients.map(buy));
  assert.equal(results.filter((r) => r === 'sold out').length, BUYERS - STOCK);
  const numbers = results.filter((r) => r !== 'sold out').sort((a, b) => a - b);
  assert.deepEqual(numbers, Array.from({ length: STOCK }, (_, i) => i), 'each number once');
  assert.equal(await admin.get('stock'), '0');
});
