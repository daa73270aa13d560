// Transactions through node-redis: MULTI and EXEC, WATCH that aborts, optimistic stock.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { WatchError } = require('redis');
const { useRedis } = require('./fixture');

const { connect } = useRedis();

for (const RESP of [2, 3]) {
  test(`all replies at once with RESP${RESP}`, async () => {
    const client = await connect({ RESP });
    assert.deepEqual(await client.multi().incr('n').incr('n').get('n').exec(), [1, 2, '2']);
  });

  test(`a watched key that changed aborts with RESP${RESP}`, async () => {
    const client = await connect({ RESP });
    await client.watch('k');
    await (await connect()).set('k', 'somebody else');
    await assert.rejects(client.multi().set('k', 'mine').exec(), WatchError);
    assert.equal(await client.get('k'), 'somebody else');
  });
}

test('unwatch forgets', async () => {
  const client = await connect();
  await client.watch('k');
  await (await connect()).set('k', 'somebody else');
  await client.unwatch();
  assert.deepEqual(await client.multi().set('k', 'mine').exec(), ['OK']);
});

test('a command that is wrong aborts all', async () => {
  const client = await connect();
  await assert.rejects(client.multi().set('k', 'v').addCommand(['NOSUCH']).exec());
  assert.equal(await client.exists('k'), 0);
});

test('a command that fails does not', async () => {
  const client = await connect();
  await assert.rejects(client.multi().set('word', 'x').incr('word').set('after', 'y').exec(), (error) => {
    assert.match(error.replies[1].message, /^ERR value is not an integer/);
    return true;
  });
  assert.equal(await client.get('after'), 'y');
});

// No lock: stock and version are written only if the version is still the one that was read.
async function buy(client, quantity, afterFirstRead) {
  for (let attempt = 1; ; attempt++) {
    await client.watch('version');
    const [stock, version] = (await client.mGet(['stock', 'version'])).map(Number);
    if (stock < quantity) {
      await client.unwatch();
      return null;
    }
    if (attempt === 1) await afterFirstRead();
    try {
      await client.multi().mSet({ stock: `${stock - quantity}`, version: `${version + 1}` }).exec();
      return attempt;
    } catch (error) {
      if (!(error instanceof WatchError)) throw error;
    }
  }
}

// Resolves for all once `count` have arrived.
function gate(count) {
  let open;
  const opened = new Promise((resolve) => { open = resolve; });
  return () => {
    if (--count === 0) open();
    return opened;
  };
}

test('optimistic buyers never oversell', async () => {
  const admin = await connect();
  await admin.mSet({ stock: '10', version: '3' });
  const allHaveRead = gate(30);
  const clients = await Promise.all(Array.from({ length: 30 }, () => connect()));
  const attempts = await Promise.all(clients.map((client) => buy(client, 1, allHaveRead)));
  assert.equal(attempts.filter((n) => n !== null).length, 10);
  assert.equal(attempts.filter((n) => n === 1).length, 1, 'of thirty that read the same version one can write');
  assert.deepEqual(await admin.mGet(['stock', 'version']), ['0', '13']);
});
