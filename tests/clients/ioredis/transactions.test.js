// Transactions through ioredis: MULTI and EXEC, WATCH that aborts, optimistic stock.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { useRedis } = require('./fixture');

const { connect } = useRedis();

for (const protocol of [2, 3]) {
  test(`all replies at once with RESP${protocol}`, async () => {
    const replies = await connect({ protocol }).multi().incr('n').incr('n').get('n').exec();
    assert.deepEqual(replies, [[null, 1], [null, 2], [null, '2']]);
  });

  test(`a watched key that changed aborts with RESP${protocol}`, async () => {
    const client = connect({ protocol });
    await client.watch('k');
    await connect().set('k', 'somebody else');
    assert.equal(await client.multi().set('k', 'mine').exec(), null);
    assert.equal(await client.get('k'), 'somebody else');
  });
}

test('a command that is wrong aborts all', async () => {
  const client = connect();
  await assert.rejects(client.multi().set('k', 'v').call('NOSUCH').exec(), {
    message: 'EXECABORT Transaction discarded because of previous errors.',
  });
  assert.equal(await client.exists('k'), 0);
});

test('a command that fails does not', async () => {
  const replies = await connect().multi().set('word', 'x').incr('word').set('after', 'y').exec();
  assert.match(replies[1][0].message, /^ERR value is not an integer/);
  assert.deepEqual(replies[2], [null, 'OK']);
});

test('discard', async () => {
  const client = connect();
  await client.multi({ pipeline: false });
  assert.equal(await client.set('k', 'v'), 'QUEUED');
  assert.equal(await client.discard(), 'OK');
  assert.equal(await client.exists('k'), 0);
});

// No lock: stock and version are written only if the version is still the one that was read.
async function buy(client, quantity, afterFirstRead) {
  for (let attempt = 1; ; attempt++) {
    await client.watch('version');
    const [stock, version] = (await client.mget('stock', 'version')).map(Number);
    if (stock < quantity) {
      await client.unwatch();
      return null;
    }
    if (attempt === 1) await afterFirstRead();
    if (await client.multi().mset('stock', stock - quantity, 'version', version + 1).exec()) return attempt;
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
  const admin = connect();
  await admin.mset('stock', 10, 'version', 3);
  const allHaveRead = gate(30);
  const attempts = await Promise.all(Array.from({ length: 30 }, () => buy(connect(), 1, allHaveRead)));
  assert.equal(attempts.filter((n) => n !== null).length, 10);
  assert.equal(attempts.filter((n) => n === 1).length, 1, 'of thirty that read the same version one can write');
  assert.deepEqual(await admin.mget('stock', 'version'), ['0', '13']);
});
