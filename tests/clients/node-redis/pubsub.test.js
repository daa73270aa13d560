// Publish and subscribe through node-redis, in both protocols.
'use strict';

const assert = require('node:assert/strict');
const { EventEmitter, on } = require('node:events');
const { test } = require('node:test');
const { useRedis } = require('./fixture');

const { connect } = useRedis();

// A listener and the messages it was given, one by one.
function inbox() {
  const emitter = new EventEmitter();
  const messages = on(emitter, 'message');
  const listener = (message, channel) => emitter.emit('message', message, channel);
  return { listener, next: async () => (await messages.next()).value };
}

for (const RESP of [2, 3]) {
  test(`channels with RESP${RESP}`, async () => {
    const subscriber = await connect({ RESP });
    const { listener, next } = inbox();
    await subscriber.subscribe(['news', 'lock:7'], listener);
    const publisher = await connect();
    assert.equal(await publisher.publish('lock:7', 'released'), 1);
    assert.equal(await publisher.publish('other', 'lost'), 0);
    assert.equal(await publisher.publish('news', 'hello'), 1);
    assert.deepEqual(await next(), ['released', 'lock:7']);
    assert.deepEqual(await next(), ['hello', 'news']);
    await subscriber.unsubscribe('news');
    assert.equal(await publisher.publish('news', 'hello'), 0);
    await subscriber.unsubscribe();
    assert.equal(await publisher.publish('lock:7', 'released'), 0);
    // An ordinary connection again; node-redis gives this first reply as a buffer with RESP2.
    assert.equal(String(await subscriber.set('k', 'v')), 'OK');
  });

  test(`patterns and binary messages with RESP${RESP}`, async () => {
    const subscriber = await connect({ RESP });
    const { listener, next } = inbox();
    await subscriber.pSubscribe('lock:*', listener, true);
    const payload = Buffer.from([0, 255, 13, 10]);
    assert.equal(await (await connect()).publish('lock:7', payload), 1);
    assert.deepEqual(await next(), [payload, Buffer.from('lock:7')]);
    await subscriber.pUnsubscribe('lock:*');
    assert.equal(await (await connect()).publish('lock:7', payload), 0);
  });

  test(`ping while subscribed with RESP${RESP}`, async () => {
    const subscriber = await connect({ RESP });
    await subscriber.subscribe('news', () => {});
    assert.equal([await subscriber.ping()].flat()[0].toLowerCase(), 'pong');
  });
}

test('commands go on beside a subscription with RESP3', async () => {
  const client = await connect();
  const { listener, next } = inbox();
  await client.subscribe('news', listener);
  assert.equal(await client.set('k', 'v'), 'OK');
  assert.equal(await client.publish('news', 'to myself'), 1);
  assert.deepEqual(await next(), ['to myself', 'news']);
  assert.equal(await client.get('k'), 'v');
});

test('who listens', async () => {
  const subscriber = await connect();
  await subscriber.subscribe('a', () => {});
  await subscriber.pSubscribe('p*', () => {});
  const client = await connect();
  assert.deepEqual(await client.pubSubChannels(), ['a']);
  assert.deepEqual({ ...(await client.pubSubNumSub(['a', 'none'])) }, { a: 1, none: 0 });
  assert.equal(await client.pubSubNumPat(), 1);
});
