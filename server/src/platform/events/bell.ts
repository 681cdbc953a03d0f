import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { AutocommitPool } from '../db/index.js'
import { notify } from './queries.js'

/** What can wake a reader: new events, events that were given a position, webhooks that are due, jobs that are. */
export type Topic = 'events' | 'relayed' | 'deliveries' | 'jobs'
const CHANNEL = 'parley'

/** What processes tell one another in passing; nothing of it is kept. */
export type NoteTopic = 'presence' | 'typing'
const NOTES = 'parley_notes'
/** A NOTIFY carries less than 8000 bytes. */
const NOTES_BYTES = 7500

/** Commits that carry a NOTIFY queue behind one lock, so other processes are told once in this time at most. */
const COALESCE_MS = 20
const RECONNECT_MS = 500

export interface Bell {
  ring(topic: Topic): void
  on(topic: Topic, listener: () => void): () => void
  /** Tells all other processes; who does not listen just then never learns of it. */
  pass(topic: NoteTopic, note: object): void
  onNote(topic: NoteTopic, listener: (from: string, note: unknown) => void): () => void
  close(): Promise<void>
}

/**
 * A doorbell between those who commit and those who wait, in this process at once and in others by NOTIFY.
 * It may be missed; readers look by themselves every second too.
 */
export async function openBell(
  url: string,
  pool: AutocommitPool,
  onError: (error: Error) => void,
): Promise<Bell> {
  const emitter = new EventEmitter().setMaxListeners(0)
  const waiting = new Set<Topic>()
  const notes: string[] = []
  const self = Math.random().toString(36).slice(2)
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let listener: pg.Client | undefined

  async function listen() {
    const client = new pg.Client({ connectionString: url, keepAlive: true })
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === NOTES) return takeNotes(payload)
      const [from, ...topics] = payload.split(' ')
      if (from !== self) for (const topic of topics) emitter.emit(topic)
    })
    client.on('error', onError)
    client.on('end', () => {
      if (!closed) setTimeout(() => void listen().catch(onError), RECONNECT_MS).unref()
    })
    await client.connect()
    await client.query(`listen ${CHANNEL}; listen ${NOTES}`)
    listener = client
  }

  function takeNotes(payload: string) {
    const [from, ...taken] = JSON.parse(payload) as [string, ...[NoteTopic, unknown][]]
    if (from !== self) for (const [topic, note] of taken) emitter.emit(`note ${topic}`, from, note)
  }

  /** As many notes as one NOTIFY carries; one that is too long for any is a fault of ours. */
  function nextNotes(): string {
    let payload = JSON.stringify(self)
    do payload += `,${notes.shift()}`
    while (notes[0] !== undefined && Buffer.byteLength(payload) + Buffer.byteLength(notes[0]) < NOTES_BYTES)
    return `[${payload}]`
  }

  function sendAll() {
    timer = undefined
    const send = (channel: string, payload: string) => notify(pool, channel, payload).catch(onError)
    if (waiting.size > 0) void send(CHANNEL, [self, ...waiting].join(' '))
    waiting.clear()
    while (notes.length > 0) void send(NOTES, nextNotes())
  }

  await listen()
  return {
    ring(topic) {
      setImmediate(() => emitter.emit(topic))
      waiting.add(topic)
      if (!closed) timer ??= setTimeout(sendAll, COALESCE_MS)
    },
    on(topic, heard) {
      emitter.on(topic, heard)
      return () => emitter.off(topic, heard)
    },
    pass(topic, note) {
      if (closed) return
      notes.push(JSON.stringify([topic, note]))
      timer ??= setTimeout(sendAll, COALESCE_MS)
    },
    onNote(topic, heard) {
      emitter.on(`note ${topic}`, heard)
      return () => emitter.off(`note ${topic}`, heard)
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await listener?.end()
    },
  }
}
