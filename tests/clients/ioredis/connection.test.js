// Connecting with ioredis: the default handshake with its ready check, both protocols, databases, a restart.
'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const { test } = require('node:test');
const { version: libraryVersion } = require('ioredis/package.json');
const { LockstepServer } = require('../support/lockstep_server');
const { useRedis } = require('./fixture');

const { server, connect } = useRedis();

async function clientInfo(client) {
  const words = (await client.client('INFO')).trim().split(' ');
  return Object.fromEntries(words.map((word) => word.split(/=(.*)/s)));
}

function infoFields(text) {
  return Object.fromEntries(text.split('\r\n').filter((line) => line.includes(':')).map((line) => line.split(/:(.*)/s)));
}

test('default settings become ready and speak RESP3', async () => {
  const client = connect();
  await once(client, 'ready');
  assert.equal(client.status, 'ready');
  assert.equal(await client.ping(), 'PONG');
  assert.equal((await clientInfo(client)).resp, '3');
});

test('RESP2 when asked', async () => {
  const client = connect({ protocol: 2 });
  await once(client, 'ready');
  assert.equal((await clientInfo(client)).resp, '2');
});

test('INFO, which the ready check reads at every connection', async () => {
  const info = infoFields(await connect().info());
  assert.equal(info.loading, '0');
  assert.equal(info.role, 'master');
  assert.match(info.redis_version, /^\d+\.\d+\.\d+$/);
});

test('the server knows the library, where there is CLIENT SETINFO (7.2)', async () => {
  const client = connect();
  await once(client, 'ready');
  const info = await clientInfo(client);
  const [major, minor] = infoFields(await client.info('server')).redis_version.split('.').map(Number);
  const expected = major > 7 || (major === 7 && minor >= 2) ? ['ioredis', libraryVersion] : [undefined, undefined];
  assert.deepEqual([info['lib-name'], info['lib-ver']], expected);
});

test('connection name', async () => {
  const client = connect({ connectionName: 'cashier' });
  assert.equal(await client.client('GETNAME'), 'cashier');
  assert.match(await connect().client('LIST'), / name=cashier /);
});

test('database by option and by URL', async () => {
  await connect({ db: 3 }).set('k', 'three');
  assert.equal(await connect().get('k'), null);
  assert.equal(await connect(`${server.url}/3`).get('k'), 'three');
});

test('database out of range', async () => {
  const client = connect();
  client.on('error', () => {}); // ioredis tells it there as well
  await assert.rejects(client.select(16), { name: 'ReplyError', message: 'ERR DB index is out of range' });
});

test('error replies carry their text and the command', async () => {
  await assert.rejects(connect().call('NOSUCH', 'a', 'b'), {
    name: 'ReplyError',
    message: "ERR unknown command 'NOSUCH', with args beginning with: 'a' 'b' ",
    command: { name: 'NOSUCH', args: ['a', 'b'] },
  });
});

test('quit is answered', async () => {
  const client = connect();
  const ended = once(client, 'end');
  assert.equal(await client.quit(), 'OK');
  await ended;
});

test('a client survives a restart of its server', async () => {
  const own = new LockstepServer();
  await own.start();
  try {
    const client = connect({ port: own.port });
    client.on('error', () => {}); // refused connections while the server is away
    await client.set('k', 'before');
    const closed = once(client, 'close');
    await own.stop();
    await closed;
    const command = client.set('k', 'after', 'NX'); // waits in the client until the server is back
    await own.start();
    assert.equal(await command, 'OK');
    assert.equal(await client.get('k'), 'after');
  } finally {
    await own.stop();
  }
});
