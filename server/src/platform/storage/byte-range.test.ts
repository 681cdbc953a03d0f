import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRange } from './byte-range.js'

test('ranges of ten bytes', () => {
  const cases: [string | undefined, ReturnType<typeof readRange>][] = [
    [undefined, 'whole'],
    ['', 'whole'],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-5', { start: 2, end: 5 }],
    ['bytes=2-', { start: 2, end: 9 }],
    ['bytes=2-99', { start: 2, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['Bytes = 1 - 2', { start: 1, end: 2 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=10-20', 'unsatisfiable'],
    ['bytes=5-2', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['lines=0-1', 'whole'],
    ['bytes=a-b', 'whole'],
  ]
  for (const [header, expected] of cases) assert.deepEqual(readRange(header, 10), expected, header)
})

test('nothing can be asked of an empty object', () => {
  assert.equal(readRange('bytes=0-', 0), 'unsatisfiable')
  assert.equal(readRange('bytes=-1', 0), 'unsatisfiable')
  assert.equal(readRange(undefined, 0), 'whole')
})
