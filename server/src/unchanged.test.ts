import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { type World, world } from './testing/world.js'

/** What was told of so far: events, and records of the audit log. */
async function traces({ ctx }: World): Promise<object[]> {
  const { rows } = await ctx.pool.query(`
    select 'event' as kind, type as name, id::text from events
    union all select 'record', event_key, id::text from audit_events order by kind, id`)
  return rows
}

test('a change that changes nothing is answered and told to nobody', async (t) => {
  const w = await world(t)
  const { admin, alice, bob, office } = w
  const web = await w.as(alice.id, { session: true })
  const ruling = await w.as(admin.id, { session: true })
  const governing = await w.as(w.owner.id, { session: true })
  const { data: tag } = await admin.call(api.createGroupTag, { body: { group_tag: { name: 'Crew' } } })
  const tags = { params: { id: office.id }, body: { group_tag_ids: [tag.id] } }
  await alice.call(api.bindChatTags, tags)
  const chat = { params: { id: office.id } }
  const group = { params: { id: tag.id }, body: { group_tag: { name: ' Crew ' } } }
  const { data: task } = await alice.call(api.createTask, {
    body: { task: { kind: 'call', content: 'ring', performer_ids: [alice.id, bob.id] } },
  })
  const field = { entity_type: 'Task' as const, data_type: 'string' as const, name: 'Place' }
  const { data: property } = await ruling.call(api.createCustomProperty, { body: field })
  const { data: robot } = await alice.call(api.createBot, { body: { webhook: { name: 'Robot' } } })
  const status = { body: { status: { emoji: '🍎', title: 'lunch' } } }
  await alice.call(api.setOwnStatus, status)
  const preferences = { body: { preferences: { theme: 'dark', order: [1, 2] } } }
  await web.call(api.setPreferences, preferences)
  const level = { ...chat, body: { level: 'mentions' as const, muted_until: null } }
  await web.call(api.setChatNotifications, level)
  const { data: card } = await admin.call(api.getUser, { params: { id: bob.id } })
  const { first_name, last_name, nickname, email, phone_number, list_tags } = card
  const known = { first_name, last_name, nickname, email, phone_number, list_tags, role: 'user' as const }
  const user = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null))
  const { data: shown } = await alice.call(api.getChat, chat)
  const { name, public: open } = shown
  const { data: settings } = await governing.call(api.getWorkspaceSettings)
  const { webhook_secret: _, ...rules } = settings
  await w.drain()

  const before = await traces(w)
  const named = { params: { id: task.id } }
  const renamed = await admin.call(api.updateGroupTag, group)
  assert.equal(renamed.data.name, 'Crew')
  await alice.call(api.bindChatTags, tags)
  await alice.call(api.updateTask, { ...named, body: { task: {} } })
  const { content, kind, performer_ids } = task
  await alice.call(api.updateTask, {
    ...named,
    body: { task: { content, kind, performer_ids, priority: 1 } },
  })
  await alice.call(api.updateTask, { ...named, body: { task: { status: 'undone' } } })
  await ruling.call(api.updateCustomProperty, { params: { id: property.id }, body: { name: 'Place' } })
  await alice.call(api.updateBot, { params: { id: robot.id }, body: { webhook: { name: 'Robot' } } })
  await alice.call(api.setOwnStatus, status)
  await alice.call(api.setOwnStatus, { body: { status: { title: 'lunch' } } })
  await web.call(api.setPreferences, preferences)
  await web.call(api.setChatNotifications, level)
  await admin.call(api.updateUser, { params: { id: bob.id }, body: { user } })
  await alice.call(api.updateChat, { ...chat, body: { chat: { name, public: open } } })
  await governing.call(api.updateWorkspaceSettings, { body: rules })
  await w.drain()
  assert.deepEqual(await traces(w), before)

  await alice.call(api.updateTask, { ...named, body: { task: { performer_ids: [bob.id] } } })
  await alice.call(api.setOwnStatus, { body: { status: { title: 'dinner' } } })
  const told = (await traces(w)).slice(0, -before.length)
  assert.equal((await traces(w)).length, before.length + 2, JSON.stringify(told))
})
