import type { Message } from '@parley/contract'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../platform/api.js'
import { refusalText } from '../platform/refusal.js'
import { state } from '../store.js'
import { readChat } from '../sync.js'
import { type Filters, queryOf } from './filters.js'
import { keepResults, keptResults } from './kept.js'

export interface Search {
  hits: readonly Message[] | null
  total: number
  /** False where there are more than were counted. */
  exact: boolean
  busy: boolean
  error: string | null
  /** Null where there is nothing more. */
  more: (() => void) | null
  /** Asks the same once more. */
  again(): void
}

export interface Found extends Pick<Search, 'hits' | 'total' | 'exact'> {
  next: string | null
}

const NOTHING = { hits: null, total: 0, exact: true, next: null } as const

/** What the filters find. It asks only when they change or `again` is called: the server keeps a record of each search. */
export function useSearch(filters: Filters): Search {
  const [found, setFound] = useState<Found>(() => keptResults()?.found ?? NOTHING)
  const [round, setRound] = useState(0)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { q, in: chat, from, after, before } = filters
  /** Ends with the filters of now: later pages of others are not among what these find. */
  const running = useRef<AbortController | null>(null)

  async function read(known: readonly Message[], cursor: string | null): Promise<void> {
    const signal = running.current?.signal
    setBusy(true)
    setError(null)
    try {
      const query = { ...queryOf(filters), ...(cursor === null ? {} : { cursor }) }
      const { data, meta } = await call('searchMessages', { query, ...(signal ? { signal } : {}) })
      const hits = [...known, ...data]
      const next = meta.paginate.has_next ? meta.paginate.next_page : null
      if (signal?.aborted) return
      // The server looks through a part of a long history at a time, and may find nothing in one of them.
      if (data.length === 0 && next !== null) return read(known, next)
      const found = { hits, total: meta.total, exact: meta.total_is_exact, next }
      setFound(found)
      keepResults(found)
      for (const id of new Set(data.map(({ root_chat_id }) => root_chat_id)))
        if (!state.chats.peek().has(id)) void readChat(id).catch(() => {})
    } catch (error) {
      if (signal?.aborted) return
      setError(refusalText(error))
    }
    setBusy(false)
  }

  useEffect(() => {
    const abort = new AbortController()
    running.current = abort
    const kept = keptResults()
    setFound(kept?.found ?? NOTHING)
    setError(null)
    if (kept || q.trim() === '') setBusy(false)
    else void read([], null)
    return () => abort.abort()
  }, [q, chat, from, after, before, round])

  const { hits, total, exact, next } = found
  return {
    hits,
    total,
    exact,
    busy,
    error,
    more: next === null || !hits ? null : () => void read(hits, next),
    again() {
      history.replaceState(null, '')
      setRound(round + 1)
    },
  }
}
