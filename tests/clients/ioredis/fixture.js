// What the ioredis tests share: a server for each file, empty before each test, and clients at ioredis'
// default settings. Holds no lock code but the release script: each way of locking is in its own file.
'use strict';

const { afterEach, beforeEach } = require('node:test');
const Redis = require('ioredis');
const { useServer } = require('../support/lockstep_server');

const RELEASE = `
  if redis.call("get", KEYS[1]) == ARGV[1] then
    return redis.call("del", KEYS[1])
  end
  return 0
`;

// const { server, connect } = useRedis();  connect({ db: 3 }), connect('redis://...', { ... })
function useRedis({ serverOptions = [], clientOptions = {} } = {}) {
  const server = useServer(...serverOptions);
  const clients = new Set();

  function connect(...where) {
    const client = typeof where[0] === 'string'
      ? new Redis(...where)
      : new Redis({ host: '127.0.0.1', port: server.port, ...clientOptions, ...where[0] });
    clients.add(client);
    return client;
  }

  beforeEach(async () => {
    const client = connect();
    await client.flushall();
    await client.script('FLUSH');
  });
  afterEach(() => {
    for (const client of clients) client.disconnect();
    clients.clear();
  });
  return { server, connect };
}

module.exports = { RELEASE, useRedis };
