// Passwords with ioredis: by option, by URL, wrong, missing, and one where the server asks for none.
'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const { test } = require('node:test');
const { LockstepServer } = require('../support/lockstep_server');
const { useRedis } = require('./fixture');

const { server, connect } = useRedis({
  serverOptions: ['--requirepass', 'secret word'],
  clientOptions: { password: 'secret word' },
});

for (const protocol of [2, 3]) {
  test(`password with RESP${protocol}`, async () => {
    assert.equal(await connect({ protocol }).ping(), 'PONG');
    assert.equal(await connect({ protocol, username: 'default' }).ping(), 'PONG');
  });

  test(`wrong password with RESP${protocol}`, async () => {
    const client = connect({ protocol, password: 'wrong' });
    const [error] = await once(client, 'error');
    assert.equal(error.name, 'ReplyError');
    assert.equal(error.message, 'WRONGPASS invalid username-password pair or user is disabled.');
  });

  test(`no password with RESP${protocol}`, async () => {
    const client = connect({ protocol, password: undefined });
    const [error] = await once(client, 'error');
    assert.match(error.message, /^NOAUTH /);
  });
}

test('password and database in the URL', async () => {
  const client = connect(`redis://:secret%20word@127.0.0.1:${server.port}/2`);
  await client.set('k', 'two');
  assert.equal(await connect({ db: 2 }).get('k'), 'two');
});

test('a password where none is set is no obstacle with RESP2', async () => {
  const own = new LockstepServer();
  await own.start();
  try {
    assert.equal(await connect({ port: own.port, protocol: 2, password: 'secret' }).ping(), 'PONG');
  } finally {
    await own.stop();
  }
});
