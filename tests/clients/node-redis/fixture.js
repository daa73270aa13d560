// What the node-redis tests share: a server for each file, empty before each test, and clients at
// node-redis' default settings. Holds no lock code but the release script.
'use strict';

const { afterEach, beforeEach } = require('node:test');
const { createClient, createClientPool } = require('redis');
const { useServer } = require('../support/lockstep_server');

const RELEASE = `
  if redis.call("get", KEYS[1]) == ARGV[1] then
    return redis.call("del", KEYS[1])
  end
  return 0
`;

// const { server, connect, pool } = useRedis();  await connect({ database: 3 })
function useRedis({ serverOptions = [], clientOptions = {} } = {}) {
  const server = useServer(...serverOptions);
  const clients = new Set();

  // A client that is not connected yet.
  function create(options) {
    const client = createClient({ url: server.url, ...clientOptions, ...options });
    client.on('error', () => {}); // also fails the command concerned, which is what tests look at
    clients.add(client);
    return client;
  }

  const connect = (options) => create(options).connect();

  async function pool(options) {
    const created = createClientPool({ url: server.url, ...clientOptions }, options);
    created.on('error', () => {});
    clients.add(created);
    return created.connect();
  }

  beforeEach(async () => {
    const client = await connect();
    await client.flushAll();
    await client.scriptFlush();
  });
  afterEach(() => {
    for (const client of clients) client.destroy();
    clients.clear();
  });
  return { server, create, connect, pool };
}

module.exports = { RELEASE, useRedis };
