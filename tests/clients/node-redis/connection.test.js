// Connecting with node-redis: the default handshake, both protocols, databases, names, a restart.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { version: libraryVersion } = require('@redis/client/package.json');
const { LockstepServer } = require('../support/lockstep_server');
const { useRedis } = require('./fixture');

const { server, connect, create } = useRedis();

async function protocolOf(client) {
  return /\bresp=(\d)/.exec(await client.sendCommand(['CLIENT', 'INFO']))[1];
}

test('default settings speak RESP3', async () => {
  const client = await connect();
  assert.ok(client.isReady);
  assert.equal(await client.ping(), 'PONG');
  assert.equal(await protocolOf(client), '3');
});

test('RESP2 when asked', async () => {
  assert.equal(await protocolOf(await connect({ RESP: 2 })), '2');
});

test('the server knows the library, where there is CLIENT SETINFO (7.2)', async () => {
  const client = await connect();
  const [major, minor] = /redis_version:(\d+)\.(\d+)/.exec(await client.info('server')).slice(1).map(Number);
  const { libName, libVer } = await client.clientInfo();
  const expected = major > 7 || (major === 7 && minor >= 2) ? ['node-redis', libraryVersion] : [undefined, undefined];
  assert.deepEqual([libName, libVer], expected);
});

test('hello', async () => {
  const client = await connect();
  const { server: name, proto, mode, role, modules } = await client.hello();
  assert.deepEqual({ name, proto, mode, role, modules },
    { name: 'redis', proto: 3, mode: 'standalone', role: 'master', modules: [] });
});

test('client name', async () => {
  const client = await connect({ name: 'cashier' });
  assert.equal(await client.clientGetName(), 'cashier');
  const list = await (await connect()).clientList();
  assert.ok(list.some(({ name }) => name === 'cashier'));
});

test('database by option and by URL', async () => {
  await (await connect({ database: 3 })).set('k', 'three');
  assert.equal(await (await connect()).get('k'), null);
  assert.equal(await (await connect({ url: `${server.url}/3` })).get('k'), 'three');
});

test('database out of range', async () => {
  const client = await connect();
  await assert.rejects(client.select(16), { message: 'ERR DB index is out of range' });
});

test('a command before the connection stands waits for it', async () => {
  const client = create();
  const connecting = client.connect();
  assert.equal(await client.set('k', 'v'), 'OK');
  await connecting;
});

test('close waits for what is under way', async () => {
  const client = await connect();
  const replies = Array.from({ length: 100 }, () => client.incr('n'));
  await client.close();
  assert.equal((await Promise.all(replies)).at(-1), 100);
});

test('a client survives a restart of its server', async () => {
  const own = new LockstepServer();
  await own.start();
  try {
    const client = await connect({ url: own.url });
    await client.set('k', 'before');
    const lost = new Promise((resolve) => { client.once('reconnecting', resolve); });
    await own.stop();
    await lost;
    const command = client.set('k', 'after', { NX: true }); // waits in the client until the server is back
    await own.start();
    assert.equal(await command, 'OK');
    assert.equal(await client.get('k'), 'after');
  } finally {
    await own.stop();
  }
});
