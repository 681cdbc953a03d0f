import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { world } from '../../testing/world.js'
import { textArray } from './array.js'

const text = fc.oneof(
  fc.constantFrom(
    null,
    '',
    'null',
    'NULL',
    '{}',
    ',',
    '"',
    '\\',
    '\\"',
    ' a ',
    'a\nb',
    '\u2028',
    '{"a":"\\n"}',
  ),
  fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0')),
)

test('the database reads texts of an array as they were', async (t) => {
  const { ctx } = await world(t)
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (values) => {
      const { rows } = await ctx.hot_pool.query('select to_json($1::text[]) as values', [textArray(values)])
      assert.deepEqual(rows[0].values, values)
    }),
    { numRuns: 200 },
  )
})
