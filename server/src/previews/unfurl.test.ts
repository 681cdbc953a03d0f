import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  createLinkPreviews,
  createMessage,
  deleteMessage,
  listLinkPreviews,
  updateMessage,
} from '@parley/contract'
import { upload } from '../testing/upload.js'
import { type World, world } from '../testing/world.js'

const WIKI = 'https://wiki.example.org/p/7'
const OTHER = 'https://example.org/q?x=1'

/** A bot that makes previews of example.org and is in no chat. */
async function stage(t: TestContext) {
  const scene = await world(t)
  await scene.ctx.db
    .updateTable('bots')
    .set({ events: ['message_link_shared'], trigger_on: 'unfurl', unfurl_domains: ['example.org'] })
    .where('user_id', '=', scene.bot.id)
    .execute()
  await scene.ctx.db.deleteFrom('chat_members').where('user_id', '=', scene.bot.id).execute()
  const message = await say(scene, `See ${WIKI}, and [this](${OTHER}) or https://elsewhere.net`)
  const bob = await scene.as(scene.bob.id, { session: true })
  return { ...scene, bob, message }
}

async function say({ alice, office }: World, content: string) {
  return (await alice.call(createMessage, { body: { message: { entity_id: office.id, content } } })).data
}

type Stage = Awaited<ReturnType<typeof stage>>

const PLAIN = { title: 'Page seven', description: 'About it' }

function preview({ bot, message }: Pick<Stage, 'bot' | 'message'>, link_previews: object, id = message.id) {
  return bot.call(createLinkPreviews, { params: { id }, body: { link_previews: link_previews as never } })
}

async function shown({ bob, message }: Stage) {
  const { data } = await bob.call(listLinkPreviews, { query: { message_ids: [message.id] } })
  return data.map(({ url, title, image_url }) => ({ url, title, image_url }))
}

test('a bot that is told of links gives a message previews, in the order of its text', async (t) => {
  const scene = await stage(t)
  const { status } = await scene.bot.send(createLinkPreviews, {
    params: { id: scene.message.id },
    body: { link_previews: { [OTHER]: { title: 'Other', description: '' }, [WIKI]: PLAIN } },
  })
  assert.equal(status, 204)
  assert.deepEqual(await shown(scene), [
    { url: WIKI, title: 'Page seven', image_url: null },
    { url: OTHER, title: 'Other', image_url: null },
  ])
  assert.ok((await scene.events()).some(({ type }) => type === 'message.previewed'))
})

test('a second call replaces what the first one made', async (t) => {
  const scene = await stage(t)
  await preview(scene, { [WIKI]: PLAIN, [OTHER]: PLAIN })
  await preview(scene, {
    [WIKI]: { title: `${'x'.repeat(299)}😀y`, description: '', image_url: 'https://example.org/i.png' },
  })
  assert.deepEqual(await shown(scene), [
    { url: WIKI, title: `${'x'.repeat(299)}😀`, image_url: 'https://example.org/i.png' },
  ])
})

test('an uploaded picture wins over an address', async (t) => {
  const scene = await stage(t)
  const key = await upload(scene.bot, 'i.png', 'pixels')
  const image = { key, name: 'i.png' }
  await preview(scene, { [WIKI]: { ...PLAIN, image, image_url: 'https://example.org/other.png' } })
  const [first] = await shown(scene)
  assert.equal(await (await fetch(first?.image_url as string)).text(), 'pixels')
})

test('one wrong link refuses the whole call', async (t) => {
  const scene = await stage(t)
  const key = await upload(scene.alice, 'i.png')
  const never = (await upload(scene.bot, 'i.png')).replace('i.png', 'j.png')
  const odd: [object, string][] = [
    [{}, 'blank'],
    [{ [WIKI]: PLAIN, 'https://elsewhere.net': PLAIN }, 'invalid'],
    [{ [WIKI]: PLAIN, 'https://example.org/not-there': PLAIN }, 'invalid'],
    [{ [`${WIKI}/`]: PLAIN }, 'invalid'],
    [{ [WIKI]: { title: ' ', description: '' } }, 'blank'],
    [{ [WIKI]: { title: 'x' } }, 'blank'],
    [{ [WIKI]: { ...PLAIN, image_url: 'javascript:alert(1)' } }, 'invalid'],
    [{ [WIKI]: { ...PLAIN, image: { key, name: 'i.png' } } }, 'wrong_params'],
    [{ [WIKI]: { ...PLAIN, image: { key: never, name: 'j.png' } } }, 'not_found'],
  ]
  for (const [body, code] of odd) await assert.rejects(preview(scene, body), { status: 422, code })
  const told = await preview(scene, { [WIKI]: { title: 'x' } }).catch((error: unknown) => error)
  const { errors } = (told as { body: { errors: { key: string }[] } }).body
  assert.equal(errors[0]?.key, `link_previews.${WIKI}.description`)
  assert.deepEqual(await shown(scene), [])
})

test('other bots and people make no previews', async (t) => {
  const scene = await stage(t)
  const other = await scene.person({ role: 'bot', nickname: 'other_bot' })
  for (const id of [scene.message.id, 999_999])
    await assert.rejects(preview({ ...scene, bot: other }, { [WIKI]: PLAIN }, id), {
      status: 403,
      code: 'not_authorized',
    })
  await assert.rejects(preview({ ...scene, bot: scene.alice }, { [WIKI]: PLAIN }), {
    status: 403,
    code: 'not_authorized',
  })
  await assert.rejects(preview(scene, { [WIKI]: PLAIN }, 999_999), { status: 404, code: 'not_found' })
})

test('a message that was edited or deleted meanwhile gets none', async (t) => {
  const scene = await stage(t)
  const message = { content: `Now ${WIKI} alone` }
  await scene.alice.call(updateMessage, { params: { id: scene.message.id }, body: { message } })
  await preview(scene, { [WIKI]: PLAIN })
  assert.deepEqual(await shown(scene), [])
  await scene.alice.call(deleteMessage, { params: { id: scene.message.id } })
  await assert.rejects(preview(scene, { [WIKI]: PLAIN }), { status: 422, code: 'invalid' })
})
