// A server process for tests in Node: started on a free port, ended by SIGTERM, which must end it cleanly.
// Used by the suites ioredis and node-redis; knows the binary's command line and its ready line, no client.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const readline = require('node:readline');
const { after, before } = require('node:test');
const { setTimeout: delay } = require('node:timers/promises');

const START_TIMEOUT_MS = 30_000;
const READY = /^lockstep ready redis:\/\/127\.0\.0\.1:(\d+)$/;

class LockstepServer {
  constructor(...options) {
    this.options = options;
    this.port = null;
  }

  get url() {
    return `redis://127.0.0.1:${this.port}`;
  }

  // On the port it had before, if it had one.
  async start() {
    const port = String(this.port ?? 'auto');
    this.output = [];
    this.process = spawn(process.env.LOCKSTEP_SERVER, ['--port', port, '--bind', '127.0.0.1', ...this.options], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exited = once(this.process, 'close');
    this.process.stderr.on('data', (data) => this.output.push(String(data)));
    this.port = await this.#ready();
  }

  async stop() {
    if (!this.process) return;
    const child = this.process;
    this.process = null;
    child.kill('SIGTERM');
    const [status, signal] = await this.exited;
    assert.equal(status, 0, `SIGTERM ended the server with status ${status ?? signal}:\n${this.output.join('\n')}`);
  }

  async restart() {
    await this.stop();
    await this.start();
  }

  // Ready means both lines are there: Lockstep's own, and the one that tools made for Redis wait for.
  #ready() {
    const child = this.process;
    return new Promise((resolve, reject) => {
      const fail = (why) => {
        clearTimeout(timer);
        child.kill('SIGKILL');
        reject(new Error(`the server did not become ready (${why}):\n${this.output.join('\n')}`));
      };
      const timer = setTimeout(fail, START_TIMEOUT_MS, `${START_TIMEOUT_MS} ms are over`);
      child.once('error', fail);
      child.once('exit', () => fail('it ended'));
      let port = null;
      let accepts = false;
      readline.createInterface({ input: child.stdout }).on('line', (line) => {
        this.output.push(line);
        port = READY.exec(line)?.[1] ?? port;
        accepts ||= line.includes('Ready to accept connections');
        if (!port || !accepts) return;
        clearTimeout(timer);
        resolve(Number(port));
      });
    });
  }
}

// One server for all tests of a file.
function useServer(...options) {
  const server = new LockstepServer(...options);
  before(() => server.start());
  after(() => server.stop());
  return server;
}

// Polls until check() is true and gives its value: for a state that another process brings about.
async function eventually(check, what, timeoutMs = 20_000) {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await delay(5);
  }
}

module.exports = { LockstepServer, useServer, eventually, delay };
