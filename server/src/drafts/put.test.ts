import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createDraft,
  createMessage,
  type DraftPlaceRequest,
  deleteDraft,
  getDraft,
  listChats,
  listDrafts,
  previewSchedule,
  putDraftAt,
} from '@parley/contract'
import { listenLive, session } from '../live/testing-live.js'
import { world } from '../testing/world.js'
import { DAY_MS, once, pass, saying, september } from './testing-schedules.js'

type DraftAt = DraftPlaceRequest['draft']
const at = (entity_id: number, content: string, more: Partial<DraftAt> = {}) => ({
  body: { draft: { entity_type: 'discussion' as const, entity_id, content, ...more } },
})

test('the input field of a chat is saved, replaced and emptied, and the other devices hear of it', async (t) => {
  const w = await world(t, { working: true })
  const { office } = w
  const alice = await session(w, w.alice)
  const hears = await listenLive(t, w, alice)
  const bobHears = await listenLive(t, w, await session(w, w.bob))
  const { data: first } = await alice.call(putDraftAt, at(office.id, 'hel'))
  const { data: second } = await alice.call(putDraftAt, at(office.id, 'hello'))
  assert.equal(second?.id, first?.id)
  assert.equal(second?.content, 'hello')
  const saved = (await hears.until(({ data }) => data.draft?.content === 'hello')).at(-1)?.data
  assert.ok(saved?.type === 'draft.saved')
  assert.deepEqual(saved.draft, second)
  assert.equal('content' in saved.payload, false)
  assert.deepEqual(await alice.call(putDraftAt, at(office.id, ' ')), { data: null })
  assert.deepEqual(await alice.call(putDraftAt, at(office.id, '')), { data: null })
  await hears.until(({ event }) => event === 'draft.deleted')
  assert.deepEqual((await alice.call(listDrafts)).data, [])
  await w.alice.call(createMessage, { body: { message: { entity_id: office.id, content: 'end' } } })
  const others = await bobHears.until(({ event }) => event === 'message.created')
  assert.ok(others.every(({ event }) => !event.startsWith('draft.')))
})

test('a draft is put where its author may write, and emptied anywhere', async (t) => {
  const w = await world(t)
  const { office, attic, news, ctx } = w
  const alice = await session(w, w.alice)
  const bob = await session(w, w.bob)
  await assert.rejects(alice.call(putDraftAt, at(attic.id, 'x')), { status: 403 })
  await assert.rejects(bob.call(putDraftAt, at(news.id, 'x')), { status: 403 })
  await assert.rejects(alice.call(putDraftAt, at(999_999, 'x')), { status: 404 })
  await assert.rejects(alice.call(putDraftAt, at(office.id, 'я'.repeat(20_001))), { code: 'too_long' })
  await assert.rejects(alice.call(putDraftAt, at(office.id, 'x', { parent_message_id: 999_999 })), {
    status: 422,
    code: 'wrong_params',
  })
  await alice.call(putDraftAt, at(office.id, 'kept'))
  await ctx.db.updateTable('chats').set({ archived_at: new Date() }).where('id', '=', office.id).execute()
  await assert.rejects(alice.call(putDraftAt, at(office.id, 'more')), { status: 403 })
  await alice.call(putDraftAt, at(office.id, ''))
  assert.deepEqual((await alice.call(listDrafts)).data, [])
})

test('a draft to a person opens no chat until a message is sent', async (t) => {
  const w = await world(t)
  const { bob, admin, bot } = w
  const alice = await session(w, w.alice)
  const to = { entity_type: 'user' as const }
  const { data: draft } = await alice.call(putDraftAt, at(bob.id, 'psst', to))
  assert.deepEqual([draft?.entity_type, draft?.entity_id, draft?.chat_id], ['user', bob.id, null])
  await assert.rejects(alice.call(createDraft, at(bob.id, 'second', to)), { status: 409 })
  const query = { entity_type: 'user' as const, entity_id: bob.id }
  assert.equal((await alice.call(listDrafts, { query })).data.length, 1)
  assert.deepEqual((await bob.call(listChats, { query: { personal: true } })).data, [])
  await assert.rejects(alice.call(putDraftAt, at(999_999, 'x', to)), { status: 404 })
  await assert.rejects(alice.call(putDraftAt, at(admin.id, 'x', { ...to, parent_message_id: 999_999 })), {
    code: 'wrong_params',
  })
  const adminHere = await session(w, admin)
  await assert.rejects(adminHere.call(putDraftAt, at(bot.id, 'x', to)), { status: 403 })

  const message = { ...to, entity_id: bob.id, content: 'psst', draft_id: draft?.id as number }
  const { data: sent } = await alice.call(createMessage, { body: { message } })
  assert.deepEqual((await alice.call(listDrafts)).data, [])
  const { data: next } = await alice.call(putDraftAt, at(sent.chat_id, 'again'))
  assert.deepEqual([next?.entity_type, next?.entity_id, next?.chat_id], ['user', bob.id, sent.chat_id])
})

test('a scheduled message to a person opens the chat when it is sent', async (t) => {
  const stage = await september(t)
  const { alice, bob } = stage
  const draft = saying(bob.id, once(stage, DAY_MS)).body.draft
  const { data } = await alice.call(createDraft, { body: { draft: { ...draft, entity_type: 'user' } } })
  assert.equal(data.chat_id, null)
  await pass(stage, DAY_MS)
  await assert.rejects(alice.call(getDraft, { params: { id: data.id } }), { status: 404 })
  assert.equal((await bob.call(listChats, { query: { personal: true } })).data.length, 1)
  const told = (await stage.events()).filter(({ type }) => type.startsWith('draft.'))
  assert.deepEqual(
    told.map(({ type, payload }) => [type, payload.draft_id, payload.scheduled]),
    [
      ['draft.saved', data.id, true],
      ['draft.deleted', data.id, true],
    ],
  )
})

test('a message takes its draft along, unless it is refused or the draft is not its author’s', async (t) => {
  const w = await world(t)
  const { office, bob, alice: token, events } = w
  const alice = await session(w, w.alice)
  const { data: draft } = await alice.call(putDraftAt, at(office.id, 'hello'))
  const sending = (content: string) => ({
    body: { message: { entity_id: office.id, content, draft_id: draft?.id as number } },
  })
  await assert.rejects(token.call(createMessage, sending(' ')), { code: 'blank' })
  await bob.call(createMessage, sending('not mine'))
  assert.equal((await alice.call(listDrafts)).data.length, 1)
  await token.call(createMessage, sending('hello'))
  assert.deepEqual((await alice.call(listDrafts)).data, [])
  await token.call(createMessage, { ...sending('hello again'), idempotency_key: 'k' })
  await assert.rejects(alice.call(deleteDraft, { params: { id: draft?.id as number } }), { status: 404 })
  const told = (await events()).filter(({ type }) => type === 'draft.deleted')
  assert.deepEqual(
    told.map(({ payload }) => payload),
    [
      {
        user_id: alice.id,
        draft_id: draft?.id,
        entity_type: 'discussion',
        entity_id: office.id,
        scheduled: false,
      },
    ],
  )
})

test('a schedule is tried before it is kept', async (t) => {
  const stage = await september(t)
  const alice = await session(stage, stage.alice)
  const preview = async (schedule: object) =>
    (await alice.call(previewSchedule, { body: { schedule: schedule as never } })).data
  const start_date = '2030-09-18T09:00:00.000Z'
  assert.deepEqual(await preview({ start_date, repetition: { interval: 'once' } }), [start_date])
  const monthly = { start_date: '2031-01-31T09:00:00Z', repetition: { interval: 'monthly' } }
  assert.deepEqual(
    (await preview(monthly)).map((time) => time.slice(0, 10)),
    ['2031-01-31', '2031-02-28', '2031-03-31', '2031-04-30', '2031-05-31'],
  )
  const ending = { ...monthly, end_date: '2031-03-31T09:00:00Z' }
  assert.equal((await preview(ending)).length, 3)
  await assert.rejects(preview({ start_date: '2030-09-01T09:00:00Z', repetition: { interval: 'once' } }), {
    code: 'next_send_at_invalid',
  })
  await assert.rejects(preview({ start_date, repetition: { interval: 'hourly' } }), {
    code: 'schedule_invalid',
  })
  await assert.rejects(preview({ start_date }), { status: 422, code: 'blank' })
})
