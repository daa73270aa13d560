// A hundred buyers at once over a pool of connections, ten pairs of sneakers: the stock is counted down by
// whoever holds the lock, and never below zero.
'use strict';

const assert = require('node:assert/strict');
const { randomUUID } = require('node:crypto');
const { test } = require('node:test');
const { delay } = require('../support/lockstep_server');
const { RELEASE, useRedis } = require('./fixture');

const { connect, pool } = useRedis();

async function buy(redis) {
  const token = randomUUID();
  while (!(await redis.set('lock', token, { NX: true, PX: 30_000 }))) await delay(5 + Math.random() * 20);
  try {
    const stock = Number(await redis.get('stock'));
    if (stock < 1) return 'sold out';
    await redis.set('stock', String(stock - 1));
    return stock - 1;
  } finally {
    assert.equal(await redis.eval(RELEASE, { keys: ['lock'], arguments: [token] }), 1);
  }
}

test('never oversold', async () => {
  const admin = await connect();
  await admin.set('stock', '10');
  const connections = await pool({ minimum: 20, maximum: 20 });
  const results = await Promise.all(Array.from({ length: 100 }, () => buy(connections)));
  assert.equal(results.filter((r) => r === 'sold out').length, 90);
  assert.deepEqual(results.filter((r) => r !== 'sold out').sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.equal(await admin.get('stock'), '0');
});
