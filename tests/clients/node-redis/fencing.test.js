// Fencing: whoever gets the lock also draws the next number of a counter (INCR); the guarded resource takes
// no write with a number below the largest it has seen.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { eventually } = require('../support/lockstep_server');
const { useRedis } = require('./fixture');

const { connect } = useRedis();

async function acquire(redis, owner, ttlMs = 60_000) {
  if (!(await redis.set('lock', owner, { NX: true, PX: ttlMs }))) return null;
  return redis.incr('lock:fence');
}

// A store outside of the lock server.
class GuardedStore {
  #seen = 0;

  write(fence, value) {
    if (fence < this.#seen) return false;
    this.#seen = fence;
    this.value = value;
    return true;
  }
}

test('the late write of a delayed owner is refused', async () => {
  const [a, b] = [await connect(), await connect()];
  const store = new GuardedStore();
  const stalled = await acquire(a, 'a', 60);
  const current = await eventually(() => acquire(b, 'b'), "a's lock expires while it is stalled");
  assert.deepEqual([stalled, current], [1, 2]);
  assert.equal(store.write(current, 'from b'), true);
  assert.equal(store.write(stalled, 'from a, too late'), false);
  assert.equal(store.value, 'from b');
});

test('numbers grow over many owners, and a refused one draws none', async () => {
  const redis = await connect();
  const drawn = [];
  for (let i = 0; i < 50; i++) {
    drawn.push(await acquire(redis, `owner ${i}`));
    assert.equal(await acquire(redis, 'too late'), null);
    await redis.del('lock');
  }
  assert.deepEqual(drawn, Array.from({ length: 50 }, (_, i) => i + 1));
});
