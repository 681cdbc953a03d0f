import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Draft } from '@parley/contract'
import { at, frame } from '../testing/shapes.js'
import { createScene } from '../testing/simulated/scene.js'

const ME = 9
const PAGE = 50

const draftOf = (id: number) => {
  const shown = { content: `draft ${id}`, files: [], parent_message_id: null, schedule: null }
  return { id, entity_type: 'discussion', entity_id: id, updated_at: at(id), ...shown } as unknown as Draft
}

test('drafts that the start leaves out are read behind it, and none that was deleted meanwhile comes back', async () => {
  const { clock, server, browser } = createScene(1, ME)
  server.drafts = Array.from({ length: 120 }, (_, index) => draftOf(120 - index))
  server.answers.set('listDrafts', ({ query }) => {
    const from = Number(query.get('cursor'))
    const data = server.drafts.slice(from, from + PAGE)
    // Deleted while the answer is on its way.
    if (from === PAGE) server.tell(frame('draft.deleted', { draft_id: 60 }, { chat_id: 60 }))
    const next_page = String(from + PAGE)
    return { data, meta: { paginate: { has_next: from + PAGE < server.drafts.length, next_page } } }
  })
  const { state } = browser.open().client
  await clock.pass(5000)
  assert.equal(state.drafts.value.size, 119)
  assert.equal(state.drafts.value.get('discussion:1')?.content, 'draft 1')
  assert.equal(state.drafts.value.has('discussion:60'), false)
})
