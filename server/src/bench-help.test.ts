import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const TORTURE = fileURLToPath(new URL('../../bench/torture.mjs', import.meta.url))

test('bench programs explain their options, and a word that is none is a fault of usage', () => {
  const run = (word: string) => spawnSync(process.execPath, [TORTURE, word], { encoding: 'utf8' })
  const help = run('--help')
  assert.equal(help.status, 0, help.stderr)
  assert.match(help.stdout, /^ {2}--kills <n> +how many are killed/m)
  const wrong = run('--nonsense')
  assert.equal(wrong.status, 2)
  assert.match(wrong.stderr, /^Unknown option '--nonsense'/)
  assert.doesNotMatch(wrong.stderr, /^ +at /m)
})
