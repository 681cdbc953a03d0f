import { EventEmitter } from 'node:events'
import pg from 'pg'
import { type AutocommitPool, cutOff } from '../db/index.js'
import type { Primary } from '../db/primary.js'
import { notify } from './queries.js'

/**
 * What can wake a reader: new events, those that another process is asked to relay, events that were given a position, webhooks and jobs
 * that are due, answers to forms.
 */
export type Topic = 'events' | 'passed' | 'relayed' | 'deliveries' | 'jobs' | 'answers'
const CHANNEL = 'parley'

/** What processes send one another; nothing of it is kept. */
export type NoteTopic = 'presence' | 'typing'
const NOTES = 'parley_notes'
/** A NOTIFY carries less than 8000 bytes. */
const NOTES_BYTES = 7500

/** Commits that carry a NOTIFY queue behind one lock, so other processes are notified once in this time at most. */
const COALESCE_MS = 20
const RECONNECT_MS = 500

/** Called with the name of the process that rang, where that was another one. */
type Rung = (from?: string) => void

export interface Bell {
  /** What this process is called among the others. */
  name: string
  ring(topic: Topic): void
  on(topic: Topic, listener: Rung): () => void
  /** Listens, and does the work that this process rings for: other processes are not woken for it as well. */
  serve(topic: Topic, listener: Rung): () => void
  /** Sends a note to all other processes; one that is not connected misses it. */
  pass(topic: NoteTopic, note: object): void
  onNote(topic: NoteTopic, listener: (from: string, note: unknown) => void): () => void
  close(): Promise<void>
}

/** A connection that listens on both channels, opened again whenever it is lost. */
async function openListener(
  primary: Primary,
  hear: (channel: string, payload: string) => void,
  onError: (error: Error) => void,
) {
  let closed = false
  let current: pg.Client | undefined

  const listenAgain = () => setTimeout(() => void listen().catch(onError), RECONNECT_MS).unref()
  primary.onChange(() => current && cutOff(current))

  async function listen() {
    const url = primary.url()
    if (url === null) return void listenAgain()
    const client = new pg.Client({ connectionString: url, keepAlive: true })
    client.on('notification', ({ channel, payload = '' }) => hear(channel, payload))
    client.on('error', onError)
    client.on('end', () => {
      if (!closed) listenAgain()
    })
    await client.connect()
    await client.query(`listen ${CHANNEL}; listen ${NOTES}`)
    current = client
  }

  await listen()
  return {
    async close() {
      closed = true
      await current?.end()
    },
  }
}

/** As many notes as one NOTIFY carries, taken from the list; a single note is always shorter than that. */
function takeNotes(notes: string[], self: string): string {
  let payload = JSON.stringify(self)
  do payload += `,${notes.shift()}`
  while (notes[0] !== undefined && Buffer.byteLength(payload) + Buffer.byteLength(notes[0]) < NOTES_BYTES)
  return `[${payload}]`
}

/** Sends topics and notes to the other processes: the first at once, and what follows it together, once in COALESCE_MS. */
function createSender(self: string, send: (channel: string, payload: string) => void) {
  const topics = new Set<Topic>()
  const notes: string[] = []
  let timer: NodeJS.Timeout | undefined
  let sent_at = Number.NEGATIVE_INFINITY
  let closed = false

  function sendAll() {
    timer = undefined
    sent_at = performance.now()
    if (topics.size > 0) send(CHANNEL, [self, ...topics].join(' '))
    topics.clear()
    while (notes.length > 0) send(NOTES, takeNotes(notes, self))
  }
  const soon = () => {
    timer ??= setTimeout(sendAll, sent_at + COALESCE_MS - performance.now())
  }

  return {
    addTopic(topic: Topic) {
      if (closed) return
      topics.add(topic)
      soon()
    },
    addNote(topic: NoteTopic, note: object) {
      if (closed) return
      notes.push(JSON.stringify([topic, note]))
      soon()
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}

/**
 * Wakes readers after a commit: in this process at once, in others by NOTIFY, unless this one serves the topic. A notification
 * may be lost; readers poll every second too.
 */
export async function openBell(
  primary: Primary,
  pool: AutocommitPool,
  onError: (error: Error) => void,
): Promise<Bell> {
  const emitter = new EventEmitter().setMaxListeners(0)
  const self = Math.random().toString(36).slice(2)
  const sender = createSender(self, (channel, payload) => void notify(pool, channel, payload).catch(onError))

  function hear(channel: string, payload: string) {
    if (channel === NOTES) {
      const [from, ...notes] = JSON.parse(payload) as [string, ...[NoteTopic, unknown][]]
      if (from !== self) for (const [topic, note] of notes) emitter.emit(`note ${topic}`, from, note)
      return
    }
    const [from, ...topics] = payload.split(' ')
    if (from !== self) for (const topic of topics) emitter.emit(topic, from)
  }

  const listener = await openListener(primary, hear, onError)
  const served: Topic[] = []

  function on(topic: Topic, heard: Rung) {
    emitter.on(topic, heard)
    return () => void emitter.off(topic, heard)
  }

  return {
    name: self,
    ring(topic) {
      setImmediate(() => emitter.emit(topic))
      if (!served.includes(topic)) sender.addTopic(topic)
    },
    on,
    serve(topic, heard) {
      const unhook = on(topic, heard)
      served.push(topic)
      return () => {
        unhook()
        served.splice(served.indexOf(topic), 1)
      }
    },
    pass: sender.addNote,
    onNote(topic, heard) {
      emitter.on(`note ${topic}`, heard)
      return () => emitter.off(`note ${topic}`, heard)
    },
    async close() {
      sender.close()
      await listener.close()
    },
  }
}
