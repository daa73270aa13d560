// Redlock over five servers: held when a majority granted it within its validity time. The algorithm is
// written out here, asks all nodes at once, and gives up on a node that does not answer in time.
'use strict';

const assert = require('node:assert/strict');
const { randomUUID } = require('node:crypto');
const { afterEach, beforeEach, test } = require('node:test');
const Redis = require('ioredis');
const { LockstepServer } = require('../support/lockstep_server');
const { RELEASE } = require('./fixture');

const QUORUM = 3;
let servers;
let nodes;

beforeEach(async () => {
  servers = Array.from({ length: 5 }, () => new LockstepServer());
  await Promise.all(servers.map((server) => server.start()));
  // A node that is down fails at once instead of keeping the command until it is back.
  nodes = servers.map((server) => new Redis(server.url, { maxRetriesPerRequest: 0, retryStrategy: null }));
  for (const node of nodes) node.on('error', () => {});
  await Promise.all(nodes.map((node) => node.ping()));
});

afterEach(async () => {
  for (const node of nodes) node.disconnect();
  await Promise.all(servers.map((server) => server.stop()));
});

class Redlock {
  constructor(nowMs = () => performance.now()) {
    this.nowMs = nowMs;
  }

  // { token, validityMs }, or null; what was granted is given back on failure.
  async acquire(resource, ttlMs) {
    const token = randomUUID();
    const start = this.nowMs();
    const replies = await this.#onAll((node) => node.set(resource, token, 'PX', ttlMs, 'NX'));
    const granted = replies.filter((reply) => reply === 'OK').length;
    const validityMs = ttlMs - (this.nowMs() - start) - (ttlMs * 0.01 + 2);
    if (granted >= QUORUM && validityMs > 0) return { token, validityMs };
    await this.release(resource, token);
    return null;
  }

  // On all nodes, also on those that seemed to refuse. How many had it.
  async release(resource, token) {
    const replies = await this.#onAll((node) => node.eval(RELEASE, 1, resource, token));
    return replies.filter((reply) => reply === 1).length;
  }

  async #onAll(ask) {
    const settled = await Promise.allSettled(nodes.map(ask));
    return settled.map(({ value }) => value);
  }
}

async function stop(...indexes) {
  await Promise.all(indexes.map((i) => servers[i].stop()));
}

function owners(...indexes) {
  return Promise.all(indexes.map((i) => nodes[i].get('lock')));
}

test('all up', async () => {
  const { token, validityMs } = await new Redlock().acquire('lock', 30_000);
  assert.ok(validityMs > 15_000 && validityMs <= 30_000 - 302, `${validityMs}`);
  assert.deepEqual(await owners(0, 1, 2, 3, 4), Array(5).fill(token));
  assert.equal(await new Redlock().acquire('lock', 30_000), null);
  assert.deepEqual(await owners(0, 1, 2, 3, 4), Array(5).fill(token));
  assert.equal(await new Redlock().release('lock', token), 5);
});

test('a minority down', async () => {
  await stop(1, 4);
  const { token } = await new Redlock().acquire('lock', 30_000);
  assert.deepEqual(await owners(0, 2, 3), Array(3).fill(token));
  assert.equal(await new Redlock().release('lock', token), 3);
});

test('a majority down: no lock, and no key is left on the others', async () => {
  await stop(1, 2, 4);
  assert.equal(await new Redlock().acquire('lock', 30_000), null);
  assert.deepEqual(await owners(0, 3), [null, null]);
});

test('a rival with two votes does not matter, one with three does', async () => {
  for (const i of [0, 1]) await nodes[i].set('lock', 'rival', 'PX', 30_000);
  const { token } = await new Redlock().acquire('lock', 30_000);
  assert.deepEqual(await owners(0, 1, 2, 3, 4), ['rival', 'rival', token, token, token]);
  await new Redlock().release('lock', token);
  await nodes[2].set('lock', 'rival', 'PX', 30_000);
  assert.equal(await new Redlock().acquire('lock', 30_000), null);
  assert.deepEqual(await owners(0, 1, 2, 3, 4), ['rival', 'rival', 'rival', null, null]);
});

test('granted too late is not granted', async () => {
  const times = [0, 9_950];
  assert.equal(await new Redlock(() => times.shift()).acquire('lock', 10_000), null);
  assert.deepEqual(await owners(0, 1, 2, 3, 4), Array(5).fill(null));
});

test('two clients at once: at most one gets a majority', async () => {
  const results = await Promise.all([new Redlock().acquire('lock', 30_000), new Redlock().acquire('lock', 30_000)]);
  const winners = results.filter(Boolean);
  assert.ok(winners.length <= 1);
  const held = (await owners(0, 1, 2, 3, 4)).filter(Boolean);
  assert.deepEqual([...new Set(held)], winners.map(({ token }) => token), 'the loser left nothing behind');
});
