import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Draft } from '@parley/contract'
import { at, card } from '../testing/shapes.js'
import { type Drafts, drafts, writtenIn } from './state.js'

const draft = (content: string, second: number, more: Partial<Draft> = {}) =>
  ({
    id: 1,
    entity_type: 'discussion',
    entity_id: 7,
    chat_id: 7,
    content,
    files: [],
    schedule: null,
    updated_at: at(second),
    ...more,
  }) as unknown as Draft

const hear = (state: Drafts, one: Draft) =>
  drafts.reduce(state, {
    type: 'live',
    me: 1,
    frame: { type: 'draft.saved', chat_id: 7, actor_id: 1, created_at: at(0), payload: {}, draft: one },
  })

test('the echo of an earlier save does not take back what was written since', () => {
  const saved = drafts.reduce(new Map(), { type: 'draft', place: 'discussion:7', draft: draft('abcd', 2) })
  assert.equal(hear(saved, draft('abc', 1)).get('discussion:7')?.content, 'abcd')
  assert.equal(hear(saved, draft('abcde', 3)).get('discussion:7')?.content, 'abcde')
  assert.equal(hear(saved, draft('new', 1, { id: 2 })).get('discussion:7')?.content, 'new')
})

test('the files of a draft go back into the field as they were uploaded', () => {
  const file = { id: 5, key: 'k', name: 'a.png', file_type: 'image', size: 3, width: 4, height: null }
  const { files } = writtenIn(draft('', 1, { files: [file] as unknown as Draft['files'] }))
  assert.deepEqual(files, [{ key: 'k', name: 'a.png', file_type: 'image', size: 3, width: 4 }])
})

test('what was written to a person is in their chat once there is one, and wherever the server knows of it', () => {
  const toPerson = (second: number, chat_id: number | null) =>
    draft('abc', second, { entity_type: 'user', entity_id: 5, chat_id })
  const before = hear(new Map(), toPerson(1, null))
  assert.deepEqual([...before.keys()], ['user:5'])
  const opened = drafts.reduce(before, { type: 'chat', chat: card(34, { personal_user_id: 5 }) })
  assert.deepEqual(
    [...opened].map(([place, { chat_id }]) => [place, chat_id]),
    [['discussion:34', 34]],
  )
  const known = drafts.reduce(before, { type: 'chat', chat: card(35, { personal_user_id: 6 }) })
  assert.equal(known, before)
  assert.deepEqual([...hear(new Map(), toPerson(1, 34)).keys()], ['discussion:34'])
  const saved = drafts.reduce(new Map(), { type: 'draft', place: 'discussion:34', draft: toPerson(1, 34) })
  assert.deepEqual([...hear(saved, toPerson(2, 34)).keys()], ['discussion:34'])
})
