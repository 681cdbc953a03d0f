import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, filtersOf, queryOf } from './filters.js'
import { markHits } from './hits.js'

const shown = (text: string, query: string) =>
  markHits(text, query)
    .map(({ text, hit }) => (hit ? `[${text}]` : text))
    .join('')

test('words that begin like those looked for are marked', () => {
  assert.equal(shown('The release is planned', 'releases PLAN'), 'The [release] is [planned]')
  assert.equal(shown('Планы на релизы', 'план релиз'), '[Планы] на [релизы]')
  assert.equal(shown('Nothing here', 'else'), 'Nothing here')
})

test('a long text is cut around its first hit', () => {
  const text = `${'word '.repeat(60)}needle ${'tail '.repeat(80)}`
  const cut = shown(text, 'needle')
  assert.match(cut, /^…(word )+\[needle\] (tail )+.*…$/)
  assert.ok(cut.length < 300)
})

test('filters go into the address and come back from it', () => {
  const filters = { q: 'plan b', in: 7, from: null, after: '2030-01-01', before: null }
  assert.equal(addressOf(filters), '/search?q=plan+b&in=7&after=2030-01-01')
  assert.deepEqual(filtersOf({ q: 'plan b', in: '7', after: '2030-01-01', from: 'x' }), filters)
  const { chat_ids, user_ids, created_from } = queryOf(filters)
  assert.deepEqual([chat_ids, user_ids], [[7], undefined])
  assert.equal(created_from, new Date('2030-01-01T00:00').toISOString())
})
