// The locker: SET PX NX with a unique token, a bounded number of retries, release by script. And its
// inventory: two buyers want 60 each of the 100 in stock, in a database that takes its time.
'use strict';

const assert = require('node:assert/strict');
const { randomUUID } = require('node:crypto');
const { test } = require('node:test');
const { delay } = require('../support/lockstep_server');
const { RELEASE, useRedis } = require('./fixture');

const { connect } = useRedis();

class Locker {
  constructor(redis, { ttlMs = 5000, retryDelayMs = 100, attemptsMax = 10 } = {}) {
    Object.assign(this, { redis, ttlMs, retryDelayMs, attemptsMax });
    this.attempts = 0;
  }

  // The token that releases the lock, or null.
  async acquire(resource, ttlMs = this.ttlMs) {
    const token = randomUUID();
    for (let i = 0; i < this.attemptsMax; i++) {
      if (i > 0) await delay(this.retryDelayMs);
      this.attempts++;
      if ((await this.redis.set(`lock:${resource}`, token, 'PX', ttlMs, 'NX')) === 'OK') return token;
    }
    return null;
  }

  async release(resource, token) {
    return (await this.redis.eval(RELEASE, 1, `lock:${resource}`, token)) === 1;
  }
}

// A database of its own, slow enough that two buyers without a lock are sure to meet.
class Inventory {
  constructor(stock) {
    this.stock = stock;
  }

  async read() {
    await delay(20);
    return this.stock;
  }

  async write(stock) {
    await delay(40);
    this.stock = stock;
  }

  async take(quantity) {
    const stock = await this.read();
    if (stock < quantity) return { success: false, message: 'insufficient stock' };
    await this.write(stock - quantity);
    return { success: true, stock: stock - quantity };
  }
}

async function takeLocked(locker, inventory, quantity) {
  const token = await locker.acquire('product:1:stock', 30_000);
  if (!token) return { success: false, message: 'busy' };
  try {
    return await inventory.take(quantity);
  } finally {
    assert.ok(await locker.release('product:1:stock', token));
  }
}

test('two buyers of 60 from 100: one wins, 40 are left', async () => {
  const inventory = new Inventory(100);
  const buyers = [new Locker(connect()), new Locker(connect())];
  const results = await Promise.all(buyers.map((locker) => takeLocked(locker, inventory, 60)));
  assert.deepEqual(results.filter((r) => r.success), [{ success: true, stock: 40 }]);
  assert.deepEqual(results.filter((r) => !r.success), [{ success: false, message: 'insufficient stock' }]);
  assert.equal(inventory.stock, 40);
  assert.equal(await connect().exists('lock:product:1:stock'), 0);
});

test('without the lock both of them win: the race is real', async () => {
  const inventory = new Inventory(100);
  const results = await Promise.all([inventory.take(60), inventory.take(60)]);
  assert.deepEqual(results.map((r) => r.success), [true, true]);
  assert.equal(inventory.stock, 40, '120 sold, 60 gone');
});

test('the key holds the token for the given time', async () => {
  const client = connect();
  const token = await new Locker(client).acquire('r', 60_000);
  assert.equal(await client.get('lock:r'), token);
  const left = await client.pttl('lock:r');
  assert.ok(left > 30_000 && left <= 60_000, `${left} ms left`);
});

test('a lock that stays held: all attempts, then null', async () => {
  assert.ok(await new Locker(connect()).acquire('r', 60_000));
  const second = new Locker(connect(), { retryDelayMs: 5, attemptsMax: 4 });
  assert.equal(await second.acquire('r'), null);
  assert.equal(second.attempts, 4);
});

test('a lock that expires is got by retrying', async () => {
  assert.ok(await new Locker(connect()).acquire('r', 80));
  const second = new Locker(connect(), { retryDelayMs: 10, attemptsMax: 1000 });
  assert.ok(await second.acquire('r', 60_000));
});

test('only the owner releases', async () => {
  const locker = new Locker(connect());
  const token = await locker.acquire('r', 60_000);
  assert.equal(await locker.release('r', randomUUID()), false);
  assert.equal(await new Locker(connect()).release('r', token), true, 'the token is what owns, not the connection');
  assert.equal(await locker.release('r', token), false);
});
