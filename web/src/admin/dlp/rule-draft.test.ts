import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, readDraft } from './rule-draft.js'

const at = '2030-01-01T00:00:00.000Z'
const rule = (body: Record<string, unknown>) => ({
  id: 1,
  name: 'Cards',
  priority: 10,
  enabled: true,
  body,
  created_at: at,
  updated_at: at,
})

test('the form of a rule gives back the rule that it was filled with', () => {
  const bodies = [
    {
      scope: { to_external: true, channel_type: ['channel'], user_role: ['member'] },
      conditions: {
        all: [
          { type: 'regex', pattern: '\\d{16}', min_hits: 2, max_hits: 5 },
          { type: 'keyword', value: 'card', min_hits: 1 },
        ],
      },
      action: { type: 'BLOCK', message: 'No cards here.' },
    },
    {
      scope: { to_external: false },
      conditions: { any: [{ all: [{ type: 'keyword', value: 'card' }] }, { type: 'keyword', value: 'pin' }] },
      action: { type: 'AUDIT_LOG' },
    },
  ]
  for (const body of bodies) assert.deepEqual(bodyOf(readDraft(rule(body))), body)
})

test('a number that is none reaches the server, which refuses it', () => {
  const draft = readDraft(
    rule({ conditions: { any: [{ type: 'keyword', value: 'x' }] }, action: { type: 'BLOCK' } }),
  )
  const [condition] = draft.conditions ?? []
  assert.ok(condition)
  const body = bodyOf({ ...draft, conditions: [{ ...condition, min_hits: 'two', max_hits: ' 3 ' }] })
  assert.deepEqual(body.conditions, { any: [{ type: 'keyword', value: 'x', min_hits: 'two', max_hits: 3 }] })
})
