// Waiting for a lock without polling: the waiter subscribes to the lock's channel, and the release, which
// is a script, publishes to it.
'use strict';

const assert = require('node:assert/strict');
const { randomUUID } = require('node:crypto');
const { once } = require('node:events');
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
  redis.call("publish", KEYS[2], "released")
  return 1
`;

class SignalLock {
  constructor() {
    Object.assign(this, { redis: connect(), subscriber: connect(), token: randomUUID(), attempts: 0 });
  }

  async tryAcquire() {
    this.attempts++;
    return (await this.redis.set(KEY, this.token, 'PX', 60_000, 'NX')) === 'OK';
  }

  async acquire() {
    if (await this.tryAcquire()) return;
    await this.subscriber.subscribe(CHANNEL);
    for (;;) {
      const released = once(this.subscriber, 'message'); // listening before the attempt: no release is missed
      if (await this.tryAcquire()) break;
      await released;
    }
    await this.subscriber.unsubscribe(CHANNEL);
  }

  async release() {
    return (await this.redis.eval(RELEASE_AND_TELL, 2, KEY, CHANNEL, this.token)) === 1;
  }
}

test('a waiter wakes by the release', async () => {
  const [holder, waiter] = [new SignalLock(), new SignalLock()];
  await holder.acquire();
  const acquired = waiter.acquire();
  await eventually(() => waiter.attempts === 2, 'the waiter has subscribed and tried again');
  assert.deepEqual(await holder.redis.pubsub('NUMSUB', CHANNEL), [CHANNEL, 1]);
  assert.ok(await holder.release());
  await acquired;
  assert.equal(await holder.redis.get(KEY), waiter.token);
  assert.equal(waiter.attempts, 3, 'before subscribing, after it, and once when told');
});

test('all waiters get their turn', async () => {
  const holder = new SignalLock();
  await holder.acquire();
  const waiters = Array.from({ length: 10 }, () => new SignalLock());
  let inside = 0;
  const turns = waiters.map(async (waiter) => {
    await waiter.acquire();
    assert.equal(++inside, 1, 'two owners');
    await waiter.redis.incr('turns');
    inside--;
    assert.ok(await waiter.release());
  });
  await eventually(() => waiters.every((waiter) => waiter.attempts === 2), 'ten waiters listen');
  assert.ok(await holder.release());
  await Promise.all(turns);
  assert.equal(await holder.redis.get('turns'), '10');
  assert.equal(await holder.redis.exists(KEY), 0);
});
