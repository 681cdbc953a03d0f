import type { Config } from './config.js'
import type { OutboundAnswer } from './outbound/exchange.js'
import { createOutbound } from './outbound/outbound.js'
import { mediaTypeOf } from './storage/media-type.js'

export interface Recording {
  /** The server takes the format from the extension. */
  name: string
  content: Buffer
}

export interface Transcriber {
  /** What is said in a recording. Rejects with RecordingRefused where asking again is of no use. */
  transcribe(recording: Recording): Promise<string>
  close(): Promise<void>
}

export class RecordingRefused extends Error {}

/** Half an hour of speech on a machine without a graphics card. */
const TIMEOUT_MS = 10 * 60_000
const ANSWER_AT_MOST_BYTES = 1024 * 1024
/** Half an hour of fast speech has fewer. */
const TEXT_AT_MOST = 50_000
/** Something is wrong with the recording; other refusals are about the settings, or about now. */
const REFUSALS = new Set([400, 413, 415, 422])
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g
const LONE_SURROGATES = /\p{Surrogate}/gu

function textOf({ status, body, truncated }: OutboundAnswer): string {
  if (REFUSALS.has(status)) throw new RecordingRefused(`the transcription server answered ${status}`)
  if (status !== 200) throw new Error(`the transcription server answered ${status}`)
  if (truncated) throw new Error(`the transcription server sent more than ${ANSWER_AT_MOST_BYTES} bytes`)
  const text = readText(body)
  if (text === undefined) throw new Error('the transcription server answered without a text')
  return text.slice(0, TEXT_AT_MOST).replace(CONTROLS, ' ').replace(LONE_SURROGATES, '').trim()
}

function readText(body: Buffer): string | undefined {
  try {
    const { text } = JSON.parse(body.toString()) as { text?: unknown }
    return typeof text === 'string' ? text : undefined
  } catch {
    return undefined
  }
}

/** The form of the call, as `Content-Type` and body. */
async function encode(form: FormData) {
  const encoded = new Response(form)
  return {
    type: encoded.headers.get('content-type') as string,
    body: Buffer.from(await encoded.arrayBuffer()),
  }
}

/**
 * A client of the transcription server that the operator set, or null. The address is the operator's own, like those of the
 * mail server and the file store, so it may be private.
 */
export function createTranscriber(config: Config): Transcriber | null {
  const { transcribe_url, transcribe_model, transcribe_language, transcribe_key } = config
  if (!transcribe_url) return null
  const authorization: Record<string, string> = transcribe_key
    ? { Authorization: `Bearer ${transcribe_key}` }
    : {}
  const outbound = createOutbound({ allow: ['0.0.0.0/0', '::/0'], allowLoopback: true })

  async function transcribe({ name, content }: Recording): Promise<string> {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(content)], { type: mediaTypeOf(name) }), name)
    form.set('model', transcribe_model)
    form.set('response_format', 'json')
    if (transcribe_language) form.set('language', transcribe_language)
    const { type, body } = await encode(form)
    const answer = await outbound.request({
      url: transcribe_url as string,
      method: 'POST',
      headers: { 'Content-Type': type, Accept: 'application/json', ...authorization },
      body,
      timeout_ms: TIMEOUT_MS,
      max_bytes: ANSWER_AT_MOST_BYTES,
    })
    return textOf(answer)
  }

  return { transcribe, close: () => outbound.close() }
}
