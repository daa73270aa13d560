// Waiting for a lock without polling: one connection subscribes, the release publishes. A waiter also
// wakes when the lock's time is over, since a crashed owner publishes nothing.
'use strict';

const assert = require('node:assert/strict');
const { randomUUID } = require('node:crypto');
const { test } = require('node:test');
const { eventually } = require('../support/lockstep_server');
const { useRedis } = require('./fixture');

const { connect } = useRedis();
const KEY = 'lock:sneakers';
const CHANNEL = 'lock:sneakers:released';
const RELEASE_AND_TELL = `
  if redis.call("get", KEYS[1]) ~= ARGV[1] then
    return 0
  end
  redis.call("del", KEYS[1])
  return redis.call("publish", ARGV[2], "released") + 1
`;

class SignalLock {
  // With RESP3 one connection does both: commands and the subscription.
  constructor(redis, ttlMs = 60_000) {
    Object.assign(this, { redis, ttlMs, token: randomUUID(), attempts: 0 });
  }

  async tryAcquire() {
    this.attempts++;
    return (await this.redis.set(KEY, this.token, { NX: true, PX: this.ttlMs })) === 'OK';
  }

  async acquire() {
    if (await this.tryAcquire()) return;
    let wake = () => {};
    await this.redis.subscribe(CHANNEL, () => wake());
    for (;;) {
      const woken = new Promise((resolve) => { wake = resolve; });
      if (await this.tryAcquire()) break;
      const timer = setTimeout(wake, Math.max(await this.redis.pTTL(KEY), 1));
      await woken;
      clearTimeout(timer);
    }
    await this.redis.unsubscribe(CHANNEL);
  }

  // How many waiters were told, or -1 when it was not ours to release.
  async release() {
    return (await this.redis.eval(RELEASE_AND_TELL, { keys: [KEY], arguments: [this.token, CHANNEL] })) - 1;
  }
}

test('a waiter wakes by the release', async () => {
  const [holder, waiter] = [new SignalLock(await connect()), new SignalLock(await connect())];
  await holder.acquire();
  const acquired = waiter.acquire();
  await eventually(() => waiter.attempts === 2, 'the waiter has subscribed and tried again');
  assert.equal(await waiter.release(), -1);
  assert.equal(await holder.release(), 1);
  await acquired;
  assert.equal(await holder.redis.get(KEY), waiter.token);
  assert.equal(waiter.attempts, 3, 'before subscribing, after it, and once when told');
});

test('a waiter wakes when a crashed owner expires', async () => {
  const [holder, waiter] = [new SignalLock(await connect(), 200), new SignalLock(await connect())];
  await holder.acquire();
  await waiter.acquire();
  assert.equal(await waiter.redis.get(KEY), waiter.token);
  assert.ok(waiter.attempts < 20, 'it waits for the time that is left, it does not poll');
});
