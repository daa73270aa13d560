// The lock class: acquire by SET NX EX with a random owner value, release by a script, and the payment
// that answers 409 to a duplicate; with what a TTL does that is too short.
'use strict';

const assert = require('node:assert/strict');
const { randomBytes } = require('node:crypto');
const { test } = require('node:test');
const { eventually } = require('../support/lockstep_server');
const { RELEASE, useRedis } = require('./fixture');

const { connect } = useRedis();

class DistributedLock {
  constructor(redis, resource, ttlSeconds = 10) {
    this.redis = redis;
    this.key = `lock:dist:${resource}`;
    this.value = randomBytes(16).toString('hex');
    this.ttlSeconds = ttlSeconds;
  }

  async acquire() {
    return (await this.redis.set(this.key, this.value, { NX: true, EX: this.ttlSeconds })) !== null;
  }

  async release() {
    return (await this.redis.eval(RELEASE, { keys: [this.key], arguments: [this.value] })) === 1;
  }
}

for (const RESP of [2, 3]) {
  test(`acquire, contend, release with RESP${RESP}`, async () => {
    const [a, b] = [new DistributedLock(await connect({ RESP }), 'r'), new DistributedLock(await connect({ RESP }), 'r')];
    assert.equal(await a.acquire(), true);
    assert.equal(await b.acquire(), false);
    assert.equal(await b.release(), false);
    assert.equal(await a.redis.get(a.key), a.value);
    assert.equal(await a.release(), true);
    assert.equal(await a.release(), false);
    assert.equal(await b.acquire(), true);
  });
}

test('the TTL is the given one', async () => {
  const lock = new DistributedLock(await connect(), 'r', 15);
  await lock.acquire();
  const left = await lock.redis.pTTL(lock.key);
  assert.ok(left > 5_000 && left <= 15_000, `${left} ms left`);
});

test('a duplicate payment is answered 409, and one after the other works', async () => {
  const redis = await connect();
  let charges = 0;

  async function pay(meanwhile = () => {}) {
    const lock = new DistributedLock(redis, 'payment:42', 15);
    if (!(await lock.acquire())) return 409;
    try {
      await meanwhile();
      charges++;
      return 200;
    } finally {
      await lock.release();
    }
  }

  assert.equal(await pay(async () => assert.equal(await pay(), 409)), 200);
  const all = await Promise.all(Array.from({ length: 20 }, () => pay()));
  assert.equal(charges, 1 + all.filter((status) => status === 200).length);
  assert.equal(await pay(), 200);
});

test("too short a TTL: two are inside, and the old owner does not release the new owner's lock", async () => {
  const [a, b] = [new DistributedLock(await connect(), 'r'), new DistributedLock(await connect(), 'r')];
  assert.equal(await a.acquire(), true);
  await a.redis.pExpire(a.key, 60);
  await eventually(() => b.acquire(), "a's lock expires");
  assert.equal(await a.release(), false);
  assert.equal(await b.redis.get(b.key), b.value);
  assert.equal(await a.redis.del(a.key), 1, 'a plain DEL does');
  assert.equal(await b.release(), false);
});
