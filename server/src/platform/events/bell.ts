import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { Pool } from '../db/index.js'

/** What can wake a reader: new events, events that were given a position, webhooks that are due, jobs that are. */
export type Topic = 'events' | 'relayed' | 'deliveries' | 'jobs'
const CHANNEL = 'parley'
/** Commits that carry a NOTIFY queue behind one lock, so other processes are told once in this time at most. */
const COALESCE_MS = 20
const RECONNECT_MS = 500

export interface Bell {
  ring(topic: Topic): void
  on(topic: Topic, listener: () => void): () => void
  close(): Promise<void>
}

/**
 * A doorbell between those who commit and those who wait, in this process at once and in others by NOTIFY.
 * It may be missed; readers look by themselves every second too.
 */
export async function openBell(url: string, pool: Pool, onError: (error: Error) => void): Promise<Bell> {
  const emitter = new EventEmitter().setMaxListeners(0)
  const waiting = new Set<Topic>()
  const self = Math.random().toString(36).slice(2)
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let listener: pg.Client | undefined

  async function listen() {
    const client = new pg.Client({ connectionString: url, keepAlive: true })
    client.on('notification', ({ payload = '' }) => {
      const [from, ...topics] = payload.split(' ')
      if (from !== self) for (const topic of topics) emitter.emit(topic)
    })
    client.on('error', onError)
    client.on('end', () => {
      if (!closed) setTimeout(() => void listen().catch(onError), RECONNECT_MS).unref()
    })
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    listener = client
  }

  function notify() {
    timer = undefined
    const payload = [self, ...waiting].join(' ')
    waiting.clear()
    pool.query('select pg_notify($1, $2)', [CHANNEL, payload]).catch(onError)
  }

  await listen()
  return {
    ring(topic) {
      setImmediate(() => emitter.emit(topic))
      waiting.add(topic)
      if (!closed) timer ??= setTimeout(notify, COALESCE_MS)
    },
    on(topic, heard) {
      emitter.on(topic, heard)
      return () => emitter.off(topic, heard)
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await listener?.end()
    },
  }
}
