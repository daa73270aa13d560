// SETNX and what a crash leaves: a process of its own takes the lock and is killed.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { test } = require('node:test');
const { eventually } = require('../support/lockstep_server');
const { useRedis } = require('./fixture');

const { server, connect } = useRedis();
const KEY = 'lock:order:123';
const HOLDER = `
  const [url, ...command] = process.argv.slice(1);
  const client = require('redis').createClient({ url });
  client.connect().then(() => client.sendCommand(command)).then((reply) => console.log(reply));
`;

// A process runs the command, says the reply, and is killed with its connection open.
async function crashAfter(...command) {
  const holder = spawn(process.execPath, ['-e', HOLDER, server.url, ...command], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [reply] = await once(holder.stdout, 'data');
  const exited = once(holder, 'exit');
  holder.kill('SIGKILL');
  assert.deepEqual(await exited, [null, 'SIGKILL']);
  return String(reply).trim();
}

test('a lock without TTL stays for good', async () => {
  const client = await connect();
  assert.equal(await crashAfter('SETNX', KEY, 'true'), '1');
  assert.equal(await client.ttl(KEY), -1);
  assert.equal(await client.setNX(KEY, 'true'), 0);
  assert.equal(await client.del(KEY), 1);
  assert.equal(await client.setNX(KEY, 'true'), 1);
});

test('a lock with a TTL frees itself', async () => {
  const client = await connect();
  assert.equal(await crashAfter('SET', KEY, 'true', 'NX', 'PX', '300'), 'OK');
  await eventually(() => client.set(KEY, 'true', { NX: true, EX: 10 }), "the crashed owner's lock expires");
});
