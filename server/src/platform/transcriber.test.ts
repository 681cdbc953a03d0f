import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.js'
import { receive } from './outbound/testing-receiver.js'
import { createTranscriber, RecordingRefused, type Transcriber } from './transcriber.js'

test('answers of a transcription server are bounded, cleaned and told apart', async (t) => {
  let answer: [number, string] = [200, '']
  const { port } = await receive(t, (request, response) => {
    request.resume().on('end', () => response.writeHead(answer[0]).end(answer[1]))
  })
  const config = readConfig({ PARLEY_TRANSCRIBE_URL: `http://127.0.0.1:${port}/v1/audio/transcriptions` })
  const transcriber = createTranscriber(config) as Transcriber
  t.after(() => transcriber.close())
  const ask = (status: number, body: string) => {
    answer = [status, body]
    return transcriber.transcribe({ name: 'voice.ogg', content: Buffer.from('sound') })
  }
  assert.equal(await ask(200, '{"text":" one\\u0000two \\ud800\\n"}'), 'one two')
  assert.equal(await ask(200, '{"text":""}'), '')
  assert.equal((await ask(200, JSON.stringify({ text: 'x'.repeat(100_000) }))).length, 50_000)
  for (const status of [400, 413, 415, 422]) await assert.rejects(ask(status, ''), RecordingRefused)
  const again: [number, string, RegExp][] = [
    [401, '', /answered 401/],
    [302, '', /answered 302/],
    [503, '', /answered 503/],
    [200, 'no JSON', /without a text/],
    [200, 'null', /without a text/],
    [200, '{"text":7}', /without a text/],
    [200, JSON.stringify({ text: 'x'.repeat(1024 * 1024) }), /more than 1048576 bytes/],
  ]
  for (const [status, body, message] of again)
    await assert.rejects(ask(status, body), (error: Error) => {
      assert.match(error.message, message)
      return !(error instanceof RecordingRefused)
    })
})
