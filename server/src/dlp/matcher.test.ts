import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createMatcher } from './matcher.js'

const group = (pattern: string) => ({
  all: [{ type: 'regex' as const, pattern, min_hits: 1, max_hits: null }],
})

test('a pattern that takes too long is stopped, said so, and counts as no match; the next one works', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) })
  const matcher = createMatcher(log)
  const slow = group('([xy]{1,60}[xy]{1,60}){5,9}[a-c]')
  const late = matcher.matches({ rule: '1:1', conditions: slow, text: 'xy'.repeat(100_000) })
  const next = matcher.matches({ rule: '2:1', conditions: group('b+'), text: 'abc' })
  assert.equal(await late, false)
  assert.equal(await next, true)
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /took too long/)
})

test('a pattern that cannot be compiled counts as no match and is said', async () => {
  const lines: string[] = []
  const matcher = createMatcher(pino({ level: 'warn' }, { write: (line) => lines.push(line) }))
  assert.equal(await matcher.matches({ rule: '1:1', conditions: group('('), text: '(' }), false)
  assert.match(lines[0] ?? '', /cannot be applied/)
})
