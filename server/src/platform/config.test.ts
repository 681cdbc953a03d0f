import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { RATES } from '@parley/contract'
import { CONFIG_NAMES, readConfig } from './config.js'

test('every setting is documented', async () => {
  const page = await readFile(new URL('../../../docs/running.md', import.meta.url), 'utf8')
  assert.deepEqual(
    CONFIG_NAMES.filter((name) => !page.includes(`\`${name}\``)),
    [],
  )
})

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

test('what commands and bots read from their shell keeps no server from starting there', () => {
  const env = {
    PARLEY_URL: 'https://chat.example.org',
    PARLEY_TOKEN: 'x',
    PARLEY_SIGNING_SECRET: 'whsec_eA==',
  }
  assert.deepEqual(readConfig(env), readConfig({}))
  assert.throws(() => readConfig({ PARLEY_TOKENS: 'x' }), /PARLEY_TOKENS is not a setting of Parley/)
})

test('all faults of the settings are told at once, one line each, and no secret', () => {
  const env = {
    PORT: 'eighty',
    PARLEY_NONSENSE: '1',
    PARLEY_TRUSTED_PROXIES: 'foo',
    PARLEY_OUTBOUND_ALLOW: '10.0.0.0/8, a b',
    PARLEY_OWNER_EMAIL: 'nonsense',
    PARLEY_OWNER_PASSWORD: 'hunter2',
    PARLEY_OWNER_TOKEN: 'secret-and-short',
    PARLEY_MAIL_FROM: 'Parley',
    PARLEY_RATE_WINDOWS: 'other=100/1, others=5/1',
    PARLEY_SIGNATURE_HEADER: 'bad header',
    PARLEY_S3_BUCKET: 'files',
    PARLEY_TRANSCRIBE_URL: 'https://me:hunter2@speech.example.org/v1/audio/transcriptions',
    PARLEY_TRANSCRIBE_LANGUAGE: 'any language',
    PARLEY_TRANSCRIBE_KEY: 'hunter2 hunter2',
  }
  const message = [
    'PARLEY_NONSENSE is not a setting of Parley.',
    'PORT must be a whole number from 0 to 65535, not "eighty".',
    'PARLEY_OWNER_EMAIL must be a mail address, not "nonsense".',
    'PARLEY_OWNER_PASSWORD must have 8 to 200 characters; it has 7.',
    'PARLEY_OWNER_TOKEN must have 20 to 200 letters, digits and -._~+/= characters.',
    `PARLEY_RATE_WINDOWS lists limits such as other=100/1 (requests in seconds), not "others=5/1". Names are ${Object.values(
      RATES,
    )
      .flat()
      .map(({ name }) => name)
      .join(', ')}.`,
    'PARLEY_TRUSTED_PROXIES lists addresses and networks such as 10.0.0.0/8, not "foo".',
    'PARLEY_OUTBOUND_ALLOW lists networks such as 10.0.0.0/8 and host names, not "a b".',
    'PARLEY_SIGNATURE_HEADER lists names of HTTP headers, not "bad header".',
    'PARLEY_MAIL_FROM must be a mail address, or a name and <an address>, not "Parley".',
    'PARLEY_TRANSCRIBE_URL must be an address without a user and a password.',
    'PARLEY_TRANSCRIBE_LANGUAGE must be the code of a language such as en or ru, not "any language".',
    'PARLEY_TRANSCRIBE_KEY must have no spaces and no letters beyond ASCII.',
    'PARLEY_S3_ENDPOINT is missing: a file store needs all of its settings.',
    'PARLEY_S3_ACCESS_KEY_ID is missing: a file store needs all of its settings.',
    'PARLEY_S3_SECRET_ACCESS_KEY is missing: a file store needs all of its settings.',
  ].join('\n')
  assert.throws(() => readConfig(env), { message })
})
