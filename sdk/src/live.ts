import { pause } from './attempt.js'
import { connectionOf, type Parley } from './connect.js'
import { ApiFailure, failureOf } from './errors.js'
import type { LiveEvent, LiveReady } from './generated/types.js'

export interface LiveFrame<T extends string, D> {
  /** Position to resume from; an empty text where the frame is not kept. */
  id: string
  type: T
  data: D
}

/** A frame of the stream. `ready` begins it; `reset` says that the position is gone and everything must be read again. */
export type Live =
  | LiveFrame<'ready' | 'reset', LiveReady>
  | { [K in LiveEvent['type']]: LiveFrame<K, Extract<LiveEvent, { type: K }>> }[LiveEvent['type']]

export interface LiveOptions {
  /** Goes on after this position. */
  position?: string
  signal?: AbortSignal
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

interface RawFrame {
  id?: string
  event: string
  data: string
}

/** Server-sent events out of the text of a stream. */
async function* framesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<RawFrame> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of stream as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = block.split('\n').flatMap((line) => {
        const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? []
        return name ? [[name, value ?? ''] as const] : []
      })
      const data = fields.flatMap(([name, value]) => (name === 'data' ? [value] : [])).join('\n')
      const { id, event } = Object.fromEntries(fields) as { id?: string; event?: string }
      if (event) yield { event, data, ...(id === undefined ? {} : { id }) }
    }
  }
}

async function open(parley: Parley, position: string | undefined, signal: AbortSignal | undefined) {
  const { options, headers } = connectionOf(parley)
  const resume: Record<string, string> = position ? { 'Last-Event-ID': position } : {}
  const response = await fetch(`${options.base_url}/live`, {
    headers: { ...headers, Accept: 'text/event-stream', ...resume },
    ...(signal ? { signal } : {}),
  })
  if (response.status >= 400)
    throw failureOf(response.status, await response.json().catch(() => undefined), response.headers)
  return response.body as ReadableStream<Uint8Array>
}

/** Refusals end the stream; a lost connection, a 429 and a server that is not ready do not. */
function isPassing(error: unknown): boolean {
  return !(error instanceof ApiFailure) || error.status === 429 || error.status >= 500
}

/** Everything that the holder of the token may see, as it happens; lost connections are resumed where they ended. */
export async function* live(
  parley: Parley,
  options: LiveOptions = {},
): AsyncGenerator<Live, void, undefined> {
  const { signal } = options
  let position = options.position
  let failed = 0
  while (!signal?.aborted) {
    try {
      for await (const { id = '', event, data } of framesOf(await open(parley, position, signal))) {
        failed = 0
        const frame = { id, type: event, data: JSON.parse(data) } as Live
        position = id || position
        if (frame.type === 'ready' || frame.type === 'reset') position = frame.data.position
        yield frame
      }
    } catch (error) {
      if (signal?.aborted) return
      if (!isPassing(error)) throw error
    }
    const wait_ms = Math.min(FIRST_WAIT_MS * 2 ** failed, LONGEST_WAIT_MS)
    failed += 1
    await pause(wait_ms, signal).catch(() => {})
  }
}
