// Passwords with node-redis: by option, by URL, wrong, missing, and one where the server asks for none.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { LockstepServer } = require('../support/lockstep_server');
const { useRedis } = require('./fixture');

const { server, connect } = useRedis({
  serverOptions: ['--requirepass', 'secret word'],
  clientOptions: { password: 'secret word' },
});
const GIVE_UP = { reconnectStrategy: false }; // by default it would try again for ever

for (const RESP of [2, 3]) {
  test(`password with RESP${RESP}`, async () => {
    assert.equal(await (await connect({ RESP })).ping(), 'PONG');
    assert.equal(await (await connect({ RESP, username: 'default' })).ping(), 'PONG');
  });

  test(`wrong password with RESP${RESP}`, async () => {
    await assert.rejects(connect({ RESP, password: 'wrong', socket: GIVE_UP }), {
      message: 'WRONGPASS invalid username-password pair or user is disabled.',
    });
  });
}

test('no password with RESP3: HELLO is refused', async () => {
  await assert.rejects(connect({ password: undefined, socket: GIVE_UP }), { message: /^NOAUTH / });
});

test('no password with RESP2: every command is refused', async () => {
  const client = await connect({ RESP: 2, password: undefined });
  await assert.rejects(client.get('k'), { message: 'NOAUTH Authentication required.' });
});

test('password and database in the URL', async () => {
  const url = `redis://:secret%20word@127.0.0.1:${server.port}/2`;
  await (await connect({ url, password: undefined })).set('k', 'two');
  assert.equal(await (await connect({ database: 2 })).get('k'), 'two');
});

test('a password where none is set', async () => {
  const own = new LockstepServer();
  await own.start();
  try {
    await assert.rejects(connect({ RESP: 2, url: own.url, socket: GIVE_UP }), {
      message: /^ERR AUTH <password> called without any password configured for the default user\./,
    });
  } finally {
    await own.stop();
  }
});
