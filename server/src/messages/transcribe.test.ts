import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { type TestContext, test } from 'node:test'
import {
  createMessage,
  deleteMessage,
  forwardMessage,
  getMessage,
  listMessages,
  searchMessages,
  setPerimeter,
} from '@parley/contract'
import { listenLive, session } from '../live/testing-live.js'
import { receive } from '../platform/outbound/testing-receiver.js'
import { upload } from '../testing/upload.js'
import { type World, world } from '../testing/world.js'

interface Asked {
  headers: IncomingHttpHeaders
  form: FormData
}
type Answer = (asked: Asked) => Promise<[number, string]> | [number, string]

const told = (text: string): [number, string] => [200, JSON.stringify({ text })]
const named = (id: number) => ({ params: { id } })

/** A transcription server, and a server that is set to ask it. */
async function setUp(t: TestContext) {
  const asked: Asked[] = []
  const speech: { answer: Answer } = { answer: () => told('') }
  const { port } = await receive(t, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const type = { 'content-type': request.headers['content-type'] as string }
    const form = await new Response(Buffer.concat(chunks), { headers: type }).formData()
    asked.push({ headers: request.headers, form })
    const [status, body] = await speech.answer(asked.at(-1) as Asked)
    response.writeHead(status).end(body)
  })
  const env = {
    PARLEY_TRANSCRIBE_URL: `http://127.0.0.1:${port}/v1/audio/transcriptions`,
    PARLEY_TRANSCRIBE_LANGUAGE: 'en',
    PARLEY_TRANSCRIBE_KEY: 'sk-secret',
  }
  return { ...(await world(t, { env })), asked, speech }
}

async function sendVoice({ alice, office }: World) {
  const key = await upload(alice, 'voice.ogg', 'OggS sound')
  const about = {
    name: 'voice.ogg',
    file_type: 'voice' as const,
    size: 10,
    duration_ms: 1200,
    waveform: 'AAEC',
  }
  const { data } = await alice.call(createMessage, {
    body: { message: { entity_id: office.id, files: [{ key, ...about }] } },
  })
  assert.equal(data.voice_content?.transcript, null)
  return data
}

async function transcriptOf({ bob }: World, id: number) {
  return (await bob.call(getMessage, named(id))).data.voice_content?.transcript
}

async function find({ bob }: World, query: string) {
  return (await bob.call(searchMessages, { query: { query } })).data.map(({ id }) => id)
}

const transcribed = async (w: World) =>
  (await w.events()).filter(({ type }) => type === 'message.transcribed').map(({ payload }) => payload)

test('a voice message gets its transcript, which people hear of, find, forward and delete', async (t) => {
  const w = await setUp(t)
  const { alice, bob, bot, office, clock, asked, speech, drain } = w
  const hook = await w.listen(bot, ['message_new', 'message_update'])
  const stream = await listenLive(t, w, await session(w, bob))
  const answers: [number, string][] = [[503, 'busy'], told('The quarterly figures are ready.')]
  speech.answer = () => answers.shift() as [number, string]
  const sent = await sendVoice(w)
  await bob.call(listMessages, { query: { chat_id: office.id } })
  await drain()
  clock.advance(1000)
  await drain()

  const [, second] = asked
  assert.deepEqual([asked.length, answers], [2, []])
  assert.equal(second?.headers.authorization, 'Bearer sk-secret')
  const file = second?.form.get('file') as File
  assert.deepEqual([file.name, await file.text()], ['voice.ogg', 'OggS sound'])
  const fields = ['model', 'language', 'response_format'].map((name) => second?.form.get(name))
  assert.deepEqual(fields, ['whisper-1', 'en', 'json'])

  const { data: read } = await bob.call(getMessage, named(sent.id))
  const voice_content = {
    duration_ms: 1200,
    waveform: 'AAEC',
    transcript: 'The quarterly figures are ready.',
  }
  assert.deepEqual(read, { ...sent, voice_content })
  assert.deepEqual((await bob.call(listMessages, { query: { chat_id: office.id } })).data[0], read)
  const heard = await stream.until(({ event }) => event === 'message.transcribed')
  const { message } = heard.at(-1)?.data ?? {}
  assert.deepEqual([message?.voice_content, message?.edited], [voice_content, false])
  assert.deepEqual(
    hook.received.map(({ event }) => event),
    ['new'],
  )
  assert.deepEqual(await find(w, 'figure'), [sent.id])

  const { data: copy } = await alice.call(forwardMessage, {
    ...named(sent.id),
    body: { entity_type: 'user', entity_id: bob.id },
  })
  await drain()
  assert.deepEqual([copy.voice_content, asked.length], [voice_content, 2])
  await alice.call(deleteMessage, named(sent.id))
  assert.deepEqual(await find(w, 'figure'), [copy.id])
  assert.equal(await transcriptOf(w, sent.id), undefined)
})

test('a transcript never comes to a message that was deleted, or to a recording that is protected', async (t) => {
  const w = await setUp(t)
  const { alice, owner, clock, asked, speech, drain } = w
  const gone = await sendVoice(w)
  speech.answer = async () => {
    await alice.call(deleteMessage, named(gone.id))
    return told('resurrected')
  }
  await drain()
  assert.deepEqual([asked.length, await transcribed(w), await find(w, 'resurrected')], [1, [], []])
  assert.equal(await transcriptOf(w, gone.id), undefined)

  speech.answer = () => [415, 'this is no sound']
  const broken = await sendVoice(w)
  await drain()
  clock.advance(3_600_000)
  await drain()
  assert.deepEqual([asked.length, await transcriptOf(w, broken.id)], [2, null])

  const settings = await w.as(owner.id, { session: true })
  await settings.call(setPerimeter, { body: { addresses: ['127.0.0.0/8'] } })
  await sendVoice(w)
  await drain()
  assert.equal(asked.length, 2)
})

test('without a transcription server nothing is transcribed', async (t) => {
  const w = await world(t)
  const sent = await sendVoice(w)
  const { rows } = await w.ctx.pool.query(`select from jobs where kind = 'messages.transcribe'`)
  await w.drain()
  assert.deepEqual([rows, await transcribed(w), await transcriptOf(w, sent.id)], [[], [], null])
})
