import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import type { Lab } from '../lab.js'
import { laws } from '../law.js'
import { walkPages } from '../pages.js'

type NewDraft = Partial<api.BodyOf<typeof api.createDraft>['draft']>

async function newDraft(lab: Lab, more: NewDraft = {}) {
  const entity_id = more.entity_id ?? (await lab.newChat()).id
  const { data } = await lab.owner.call(api.createDraft, {
    body: { draft: { entity_type: 'discussion', content: lab.name('draft'), ...more, entity_id } },
  })
  lab.after(() => lab.owner.send(api.deleteDraft, { params: { id: data.id } }))
  return data
}

const NEXT_YEAR = () => new Date().getUTCFullYear() + 1
const daily = (start_date: string) => ({ start_date, repetition: { interval: 'daily' as const } })
const later = () => daily(`${NEXT_YEAR()}-03-01T09:00:00Z`)

export const draftLaws = laws('Drafts', [
  {
    id: 'DRAFT-001',
    rule: 'A draft is read as it was saved, changed in part, and gone when it is deleted.',
    operations: [api.createDraft, api.getDraft, api.updateDraft, api.deleteDraft],
    async run(lab) {
      const draft = await newDraft(lab)
      assert.deepEqual([draft.schedule, draft.next_send_at], [null, null])
      const params = { id: draft.id }
      assert.deepEqual((await lab.owner.call(api.getDraft, { params })).data, draft)
      const { data } = await lab.owner.call(api.updateDraft, {
        params,
        body: { draft: { content: 'other' } },
      })
      assert.deepEqual([data.content, data.chat_id], ['other', draft.chat_id])
      await lab.owner.call(api.deleteDraft, { params })
      await lab.owner.refused(api.getDraft, { params }, { status: 404 })
      await lab.owner.refused(api.deleteDraft, { params }, { status: 404 })
    },
  },
  {
    id: 'DRAFT-002',
    rule: 'A place has one plain draft: the second is refused with 409 already_exists, which names the first.',
    operations: [api.createDraft],
    async run(lab) {
      const draft = await newDraft(lab)
      const body = { draft: { entity_type: 'discussion', entity_id: draft.chat_id, content: 'x' } }
      const answer = await lab.owner.refused(
        api.createDraft,
        { body },
        { status: 409, code: 'already_exists' },
      )
      const { errors } = answer.body as { errors: { payload: unknown }[] }
      assert.deepEqual(errors[0]?.payload, { draft_id: draft.id })
    },
  },
  {
    id: 'DRAFT-003',
    rule: 'A draft without text and files is refused with 422 blank, key content.',
    operations: [api.createDraft],
    async run(lab) {
      const { id } = await lab.room()
      const body = { draft: { entity_type: 'discussion', entity_id: id, content: '' } }
      await lab.owner.refused(api.createDraft, { body }, { status: 422, code: 'blank', key: 'content' })
    },
  },
  {
    id: 'DRAFT-004',
    rule: 'A draft of somebody else does not exist: 404.',
    operations: [api.getDraft],
    needs: ['member'],
    async run(lab) {
      const { id } = await newDraft(lab)
      await lab.member.refused(api.getDraft, { params: { id } }, { status: 404 })
    },
  },
  {
    id: 'DRAFT-005',
    rule: 'A scheduled message knows when it is sent next, and is listed apart from drafts.',
    operations: [api.createDraft, api.listDrafts],
    async run(lab) {
      const draft = await newDraft(lab, { schedule: later() })
      assert.equal(draft.next_send_at, `${NEXT_YEAR()}-03-01T09:00:00.000Z`)
      const place = { entity_type: 'discussion' as const, entity_id: draft.chat_id as number }
      const list = async (type: 'regular' | 'scheduled') =>
        (await lab.owner.call(api.listDrafts, { query: { ...place, type } })).data.map(({ id }) => id)
      assert.deepEqual([await list('regular'), await list('scheduled')], [[], [draft.id]])
    },
  },
  {
    id: 'DRAFT-006',
    rule: 'A time that is over is refused with 422 next_send_at_invalid, an end before the start with schedule_end_date_invalid.',
    operations: [api.createDraft],
    async run(lab) {
      const { id } = await lab.room()
      const scheduled = (schedule: object) => ({
        body: { draft: { entity_type: 'discussion', entity_id: id, content: 'x', schedule } },
      })
      const once = { start_date: '2020-01-01T09:00:00Z', repetition: { interval: 'once' } }
      await lab.owner.refused(api.createDraft, scheduled(once), { status: 422, code: 'next_send_at_invalid' })
      const ended = { ...later(), end_date: `${NEXT_YEAR()}-02-01T09:00:00Z` }
      await lab.owner.refused(api.createDraft, scheduled(ended), {
        status: 422,
        code: 'schedule_end_date_invalid',
      })
      const unknown = { ...later(), repetition: { interval: 'hourly' } }
      await lab.owner.refused(api.createDraft, scheduled(unknown), { status: 422, code: 'schedule_invalid' })
    },
  },
  {
    id: 'DRAFT-007',
    rule: 'A scheduled message does not become a draft: 422 draft_type_change_forbidden.',
    operations: [api.updateDraft],
    async run(lab) {
      const { id } = await newDraft(lab, { schedule: later() })
      const body = { draft: { schedule: null } }
      const refusal = { status: 422, code: 'draft_type_change_forbidden' }
      await lab.owner.refused(api.updateDraft, { params: { id }, body }, refusal)
    },
  },
  {
    id: 'DRAFT-008',
    rule: 'Drafts are listed newest first, by pages.',
    operations: [api.listDrafts],
    async run(lab) {
      const chat = await lab.newChat()
      const made: number[] = []
      for (let count = 0; count < 4; count += 1)
        made.unshift((await newDraft(lab, { entity_id: chat.id, schedule: later() })).id)
      const query = { type: 'scheduled', entity_type: 'discussion', entity_id: chat.id }
      await walkPages(lab.owner, { operation: api.listDrafts, query, expected: made })
    },
  },
  {
    id: 'DRAFT-009',
    rule: 'A message that is due is sent once, as its author, and a single one is removed from the drafts.',
    operations: [api.createDraft, api.listMessages, api.getDraft],
    needs: ['sandbox'],
    async run(lab) {
      const chat = await lab.newChat()
      const now = (await lab.anonymous.call(api.getSandboxClock)).data.now
      const start_date = new Date(Date.parse(now) + 60_000).toISOString()
      const schedule = { start_date, repetition: { interval: 'once' as const } }
      const draft = await newDraft(lab, { entity_id: chat.id, schedule })
      await lab.pass(30)
      const sent = async () => (await lab.owner.call(api.listMessages, { query: { chat_id: chat.id } })).data
      assert.deepEqual(await sent(), [])
      await lab.pass(120)
      const [message, ...more] = await sent()
      assert.deepEqual([message?.content, message?.user_id, more], [draft.content, lab.owner.id, []])
      await lab.owner.refused(api.getDraft, { params: { id: draft.id } }, { status: 404 })
    },
  },
  {
    id: 'DRAFT-010',
    rule: 'A monthly schedule from the 31st keeps to the last day of shorter months.',
    operations: [api.createDraft, api.updateDraft],
    async run(lab) {
      const year = NEXT_YEAR() + 1
      const monthly = { interval: 'monthly' as const }
      const draft = await newDraft(lab, {
        schedule: { start_date: `${year}-01-31T09:00:00Z`, repetition: monthly },
      })
      assert.equal(draft.next_send_at, `${year}-01-31T09:00:00.000Z`)
      const weekly = {
        start_date: '2026-09-17T12:00:00Z',
        repetition: { interval: 'weekly' as const, days: [1, 1, 3] },
      }
      const { data } = await lab.owner.call(api.updateDraft, {
        params: { id: draft.id },
        body: { draft: { schedule: weekly } },
      })
      assert.deepEqual(data.schedule?.repetition.days, [1, 3])
      const day = new Date(data.next_send_at ?? '').getUTCDay()
      assert.ok([1, 3].includes(day), `the next sending is on day ${day} of the week`)
    },
  },
])
