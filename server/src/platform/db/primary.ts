import pg from 'pg'
import type { Log } from '../log.js'
import { hostName, hostsOf } from './hosts.js'
import { findTimeline } from './primary-queries.js'

/** How often the hosts are asked while one of them takes writes, and while none does. */
const WATCH_MS = 1_500
const SEARCH_MS = 200
/** A host that does not answer in this time is away. */
const ANSWER_MS = 1_500
/** A busy host may be late once; after so many rounds without an answer nothing is sent to it. */
const MISSES = 2

/** Where writes go: one of the hosts of a database, which changes when a standby is promoted. */
export interface Primary {
  /** Null while no host takes writes. */
  url(): string | null
  /** Called when another host has become the primary. */
  onChange(listener: () => void): void
  /** Something failed: the hosts are asked at once. */
  hurry(): void
  close(): void
}

/** A database with a single address; who answers there is not our business. */
export function fixedPrimary(url: string): Primary {
  return { url: () => url, onChange() {}, hurry() {}, close() {} }
}

/** The timeline of a host that takes writes; null of a standby, and of one that does not answer. */
async function askHost(url: string): Promise<number | null> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await findTimeline(client)
  } catch {
    return null
  } finally {
    void client.end().catch(() => {})
  }
}

interface Writable {
  url: string
  timeline: number
}

/**
 * Of several hosts that take writes the one of the newest timeline: a promotion begins a new one, so that a former
 * primary that comes back is not taken for the present one. Each answer is also told as it comes.
 */
async function findNewest(
  urls: readonly string[],
  newest: number,
  onAnswer: (found: Writable) => void = () => {},
) {
  const timelines = await Promise.all(
    urls.map(async (url) => {
      const timeline = await askHost(url)
      if (timeline !== null) onAnswer({ url, timeline })
      return timeline
    }),
  )
  let found: Writable | null = null
  for (const [index, timeline] of timelines.entries()) {
    if (timeline !== null && timeline >= newest && timeline > (found?.timeline ?? 0))
      found = { url: urls[index] as string, timeline }
  }
  return found
}

/** The host that takes writes at this moment, for a command; fails where none does. */
export async function findPrimary(url: string): Promise<string> {
  const urls = hostsOf(url)
  if (urls.length === 1) return url
  for (let round = 0; round < MISSES; round += 1) {
    const found = await findNewest(urls, 0)
    if (found) return found.url
  }
  const error = new Error(`none of ${urls.map(hostName).join(', ')} takes writes`)
  throw Object.assign(error, { code: 'ECONNREFUSED' })
}

/** Watches the hosts of a database, and knows which one takes writes. */
export async function openPrimary(url: string, log: Log): Promise<Primary> {
  const urls = hostsOf(url)
  if (urls.length === 1) return fixedPrimary(url)
  const listeners: (() => void)[] = []
  let current = await findPrimary(url)
  let newest = 0
  let misses = 0
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let closed = false

  function take(found: Writable | null) {
    misses = found ? 0 : misses + 1
    if (!found) return
    newest = found.timeline
    if (found.url === current) return
    current = found.url
    log.warn({ host: hostName(current) }, `database ${hostName(current)} takes writes now`)
    for (const listener of listeners) listener()
  }

  async function look() {
    if (looking || closed) return
    looking = true
    clearTimeout(timer)
    // A host that was promoted since is taken at once: the dead one may not even refuse a connection.
    const found = await findNewest(urls, newest, (answer) => {
      if (newest > 0 && answer.timeline > newest) take(answer)
    })
    take(found)
    looking = false
    if (!closed) timer = setTimeout(look, misses > 0 ? SEARCH_MS : WATCH_MS).unref()
  }

  await look()
  return {
    url: () => (misses < MISSES ? current : null),
    onChange: (listener) => void listeners.push(listener),
    hurry: () => void look(),
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
