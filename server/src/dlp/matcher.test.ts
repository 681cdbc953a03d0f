import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createMatcher } from './matcher.js'

const group = (pattern: string) => ({
  all: [{ type: 'regex' as const, pattern, min_hits: 1, max_hits: null }],
})

test('a pattern that takes too long is stopped, said so, and not taken for no match; the next one works', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) })
  const matcher = createMatcher(log)
  const slow = group('([xy]{1,60}[xy]{1,60}){5,9}[a-c]')
  const late = matcher.match({ rule: '1:1', conditions: slow, text: 'xy'.repeat(100_000) })
  const next = matcher.match({ rule: '2:1', conditions: group('b+'), text: 'abc' })
  assert.equal(await late, 'unknown')
  assert.equal(await next, 'matched')
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /timed out/)
})

test('a pattern that cannot be compiled is not taken for no match and is said', async () => {
  const lines: string[] = []
  const matcher = createMatcher(pino({ level: 'warn' }, { write: (line) => lines.push(line) }))
  assert.equal(await matcher.match({ rule: '1:1', conditions: group('('), text: '(' }), 'unknown')
  assert.match(lines[0] ?? '', /applying a DLP rule failed/)
})

test('a busy event loop does not shorten the time of the thread', async () => {
  const matcher = createMatcher(pino({ level: 'silent' }))
  await matcher.match({ rule: '1:1', conditions: group('4111'), text: '' })
  const asked = matcher.match({ rule: '1:1', conditions: group('4111'), text: 'card 4111' })
  await Promise.resolve()
  const until = performance.now() + 1_200
  while (performance.now() < until);
  assert.equal(await asked, 'matched')
})
