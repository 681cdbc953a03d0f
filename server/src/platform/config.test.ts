import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.js'

test('loopback may be called only where nobody elsewhere reaches the server', () => {
  const cases: [Record<string, string>, boolean][] = [
    [{}, true],
    [{ HOST: '::1' }, true],
    [{ PARLEY_PUBLIC_URL: 'http://localhost:3000' }, true],
    [{ PARLEY_PUBLIC_URL: 'http://[::1]:3000' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ PARLEY_PUBLIC_URL: 'https://chat.example.org' }, false],
    [{ HOST: '0.0.0.0', PARLEY_PUBLIC_URL: 'http://localhost:3000' }, false],
  ]
  for (const [env, allowed] of cases)
    assert.equal(readConfig(env).loopback_only, allowed, JSON.stringify(env))
})
