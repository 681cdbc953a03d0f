import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { LiveEvent } from '@parley/contract'
import type { Person, World } from '../testing/world.js'

export interface Heard {
  id: number
  event: string
  data: LiveEvent
}

function readFrame(frame: string): Heard | undefined {
  const fields = new Map(
    frame.split('\n').map((line) => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)] as const
    }),
  )
  const event = fields.get('event')
  if (!event) return undefined
  return { id: Number(fields.get('id') ?? Number.NaN), event, data: JSON.parse(fields.get('data') ?? '{}') }
}

/** A stream that is being listened to. `until` waits for an event and gives everything heard so far. */
export async function listenLive(t: TestContext, { url }: World, person: Person, lastEventId?: number) {
  const abort = new AbortController()
  t.after(() => abort.abort())
  const headers: Record<string, string> = { Authorization: `Bearer ${person.token}` }
  if (lastEventId !== undefined) headers['Last-Event-ID'] = String(lastEventId)
  const response = await fetch(`${url}/v1/live`, { headers, signal: abort.signal })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  const heard: Heard[] = []
  const waiting = new Set<() => void>()
  let ended = false
  const wake = () => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  const reading = (async () => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const event = readFrame(frame)
        if (event) heard.push(event)
      }
      wake()
    }
  })()
  const done = reading
    .catch(() => {})
    .finally(() => {
      ended = true
      wake()
    })
  async function until(found: (event: Heard) => boolean): Promise<Heard[]> {
    while (!heard.some(found)) {
      if (ended) throw new Error(`the stream ended after ${heard.map(({ event }) => event).join()}`)
      await new Promise<void>((resolve) => waiting.add(resolve))
    }
    return heard
  }
  await until(({ event }) => event === 'ready' || event === 'reset')
  return { heard, until, done, close: () => abort.abort() }
}

const contentOf = ({ data }: Heard) => (data.type === 'message.created' ? data.payload.content : undefined)

export const says = (content: string) => (event: Heard) => contentOf(event) === content

/** The texts of new messages that were heard. */
export const contentsOf = (heard: readonly Heard[]) =>
  heard.map(contentOf).filter((text) => text !== undefined)

export function session(w: World, person: Person): Promise<Person> {
  return w.as(person.id, { session: true })
}
