import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBot, listBots, listCompanyBots } from '@parley/contract'
import { world } from '../testing/world.js'
import { logged, named, newBot } from './testing-bots.js'

test('bots are found by part of their name, page by page', async (t) => {
  const { alice } = await world(t)
  for (const name of ['Alpha one', 'Beta', 'alphabet 100%']) await alice.call(createBot, named(name))
  const names = async (query: string) =>
    (await alice.call(listBots, { query: { query } })).data.map(({ webhook }) => webhook.name)
  assert.deepEqual(await names('ALPHA'), ['alphabet 100%', 'Alpha one'])
  assert.deepEqual(await names('0%'), ['alphabet 100%'])
  assert.deepEqual(await names('_'), ['Helper_bot'])
  const first = await alice.call(listBots, { query: { limit: 2 } })
  assert.equal(first.meta.paginate.has_next, true)
  const cursor = first.meta.paginate.next_page
  const rest = await alice.call(listBots, { query: { limit: 2, cursor } })
  assert.equal(new Set([...first.data, ...rest.data].map(({ id }) => id)).size, 4)
})

test('the owner sees every bot, of foreign ones the name alone, and the log says that he looked', async (t) => {
  const stage = await world(t)
  const { alice, admin, owner, bot } = stage
  const own = await newBot(owner)
  const { data } = await owner.call(listCompanyBots)
  assert.deepEqual(
    data.map(({ id }) => id),
    [own.id, bot.id],
  )
  assert.equal(data[0]?.webhook.trigger_on, 'commands')
  const { name, nickname, ...settings } = data[1]?.webhook ?? {}
  assert.deepEqual({ name, nickname }, { name: 'Helper_bot', nickname: 'helper_bot' })
  assert.ok(Object.values(settings).every((value) => value === null))
  const found = await owner.call(listCompanyBots, { query: { query: 'deploy' } })
  assert.deepEqual(
    found.data.map(({ id }) => id),
    [own.id],
  )
  for (const person of [alice, admin])
    await assert.rejects(person.call(listCompanyBots), { status: 403, code: 'insufficient_scope' })
  const looks = (await logged(stage)).filter(({ event_key }) => event_key === 'company_bots_accessed')
  assert.equal(looks.length, 2)
  assert.equal(looks[0]?.entity_id, String(owner.id))
})
