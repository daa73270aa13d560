// Publish and subscribe through ioredis, in both protocols.
'use strict';

const assert = require('node:assert/strict');
const { on, once } = require('node:events');
const { test } = require('node:test');
const { eventually } = require('../support/lockstep_server');
const { useRedis } = require('./fixture');

const { connect } = useRedis();

for (const protocol of [2, 3]) {
  test(`channels with RESP${protocol}`, async () => {
    const subscriber = connect({ protocol });
    const messages = on(subscriber, 'message');
    assert.equal(await subscriber.subscribe('news', 'lock:7'), 2);
    const publisher = connect();
    assert.equal(await publisher.publish('lock:7', 'released'), 1);
    assert.equal(await publisher.publish('other', 'lost'), 0);
    assert.equal(await publisher.publish('news', 'hello'), 1);
    assert.deepEqual((await messages.next()).value, ['lock:7', 'released']);
    assert.deepEqual((await messages.next()).value, ['news', 'hello']);
    assert.equal(await subscriber.unsubscribe('news'), 1);
    assert.equal(await subscriber.unsubscribe(), 0);
    assert.equal(await publisher.publish('lock:7', 'released'), 0);
    assert.equal(await subscriber.set('k', 'v'), 'OK', 'an ordinary connection again');
  });

  test(`patterns and binary messages with RESP${protocol}`, async () => {
    const subscriber = connect({ protocol });
    const messages = on(subscriber, 'pmessageBuffer');
    assert.equal(await subscriber.psubscribe('lock:*'), 1);
    const payload = Buffer.from([0, 255, 13, 10]);
    assert.equal(await connect().publish('lock:7', payload), 1);
    assert.deepEqual((await messages.next()).value, ['lock:*', Buffer.from('lock:7'), payload]);
    assert.equal(await subscriber.punsubscribe('lock:*'), 0);
  });

  test(`ping while subscribed with RESP${protocol}`, async () => {
    const subscriber = connect({ protocol });
    await subscriber.subscribe('news');
    const reply = await subscriber.ping();
    assert.equal([reply].flat()[0].toLowerCase(), 'pong');
  });
}

test('a client that reconnects subscribes again', async () => {
  const subscriber = connect();
  await subscriber.subscribe('news');
  subscriber.disconnect(true);
  await once(subscriber, 'ready');
  const message = once(subscriber, 'message');
  const publisher = connect();
  await eventually(() => publisher.publish('news', 'hello'), 'somebody listens again');
  assert.deepEqual(await message, ['news', 'hello']);
});
