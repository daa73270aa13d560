// A watchdog: as long as the work goes on, the lock's TTL is set anew long before it is over; it stops
// with the work, and notices when the lock is no longer its own.
'use strict';

const assert = require('node:assert/strict');
const { randomUUID } = require('node:crypto');
const { test } = require('node:test');
const { eventually } = require('../support/lockstep_server');
const { RELEASE, useRedis } = require('./fixture');

const { connect } = useRedis();
const TTL_MS = 800;
const EXTEND = `
  if redis.call("get", KEYS[1]) == ARGV[1] then
    return redis.call("pexpire", KEYS[1], ARGV[2])
  end
  return 0
`;

class WatchedLock {
  constructor(redis, key) {
    Object.assign(this, { redis, key, token: randomUUID(), extensions: 0, lost: false });
  }

  async acquire() {
    if (!(await this.redis.set(this.key, this.token, 'PX', TTL_MS, 'NX'))) return false;
    this.timer = setInterval(() => this.#extend(), TTL_MS / 4);
    return true;
  }

  async release() {
    this.crash();
    return (await this.redis.eval(RELEASE, 1, this.key, this.token)) === 1;
  }

  // The owner is gone without a word: nobody extends any more.
  crash() {
    clearInterval(this.timer);
  }

  async #extend() {
    if (await this.redis.eval(EXTEND, 1, this.key, this.token, TTL_MS)) {
      this.extensions++;
      return;
    }
    this.lost = true;
    clearInterval(this.timer);
  }
}

async function watched(t, key) {
  const lock = new WatchedLock(connect(), key);
  t.after(() => lock.crash());
  assert.ok(await lock.acquire());
  return lock;
}

test('the lock outlives its TTL while the work goes on', async (t) => {
  const start = Date.now();
  const lock = await watched(t, 'lock');
  const contender = connect();
  await eventually(async () => {
    assert.equal(await contender.set('lock', 'other', 'NX'), null, 'somebody got in');
    return lock.extensions >= 6;
  }, 'six extensions');
  assert.ok(Date.now() - start > TTL_MS);
  assert.ok(await lock.release());
  assert.equal(await contender.set('lock', 'other', 'NX'), 'OK');
});

test('a crashed owner is not kept alive', async (t) => {
  const lock = await watched(t, 'lock');
  await eventually(() => lock.extensions >= 1, 'an extension');
  lock.crash();
  const contender = connect();
  await eventually(() => contender.set('lock', 'other', 'NX'), 'the lock expires');
  assert.equal(await lock.release(), false);
});

test("a lost lock is noticed, and the new owner's time is left alone", async (t) => {
  const lock = await watched(t, 'lock');
  const other = connect();
  await other.set('lock', 'other', 'PX', 60_000);
  await eventually(() => lock.lost, 'the watchdog notices');
  assert.equal(lock.extensions, 0);
  assert.ok((await other.pttl('lock')) > 30_000);
  assert.equal(await lock.release(), false);
  assert.equal(await other.get('lock'), 'other');
});
