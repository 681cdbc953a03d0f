import { useEffect, useRef, useState } from 'preact/hooks'
import { mayPass } from './api.js'
import { joinPages, type PageOf } from './pages.js'
import { refusalText } from './refusal.js'
import { useEvery } from './use-every.js'
import { useChanged, useThrottled } from './use-later.js'

const LOOK_UP_AFTER_MS = 150
/** Changes that come together are shown together. */
const REFRESH_AFTER_MS = 1000

export interface Pages<T> {
  /** Null before the first answer, and where the first page could not be read. */
  items: readonly T[] | null
  error: string | null
  /** Why it failed will not pass by itself: asking again does not help. */
  refused: boolean
  busy: boolean
  /** Reads the next page; null where there is none. */
  more: (() => void) | null
  /** Reads once more the page that failed. */
  again(): void
}

type Ask<T> = (text: string, cursor: string | null, signal: AbortSignal) => Promise<PageOf<T>>

interface Refreshing<T> {
  /** When it changes, what is shown is read again. */
  revision?: number
  /** For what no event tells of: how often it is read again while it is looked at; null for not now. */
  pause_ms?: (items: readonly T[]) => number | null
}

/**
 * A list that is read page by page, narrowed by a text once it has rested for a moment. It begins anew when one of `inputs`
 * changes.
 */
export function usePages<T>(
  text: string,
  ask: Ask<T>,
  keyOf: (item: T) => unknown,
  inputs: readonly unknown[] = [],
  { revision = 0, pause_ms = () => null }: Refreshing<T> = {},
): Pages<T> {
  const [page, setPage] = useState<PageOf<T> | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [refused, setRefused] = useState(false)
  const [busy, setBusy] = useState(false)
  const failed = useRef<string | null>(null)
  const running = useRef<AbortController | null>(null)
  const shown = useRef(page)
  /** What is being read ends before the same is read again. */
  const last = useRef(Promise.resolve())

  function show(next: PageOf<T> | null) {
    shown.current = next
    setPage(next)
  }

  function begin(): AbortSignal {
    running.current?.abort()
    running.current = new AbortController()
    return running.current.signal
  }

  async function readPage(cursor: string | null) {
    const signal = begin()
    setBusy(true)
    setError(null)
    try {
      const read = await ask(text.trim(), cursor, signal)
      if (signal.aborted) return
      const known = cursor === null ? null : shown.current
      show(known ? { ...read, items: joinPages(known.items, read.items, keyOf) } : read)
    } catch (failure) {
      if (signal.aborted) return
      failed.current = cursor
      // What was there may be the answer to another question.
      if (cursor === null) show(null)
      setError(refusalText(failure))
      setRefused(!mayPass(failure))
    }
    if (!signal.aborted) setBusy(false)
  }

  /** All that is shown, at once. Where that fails it stays as it is. */
  async function readShown() {
    const before = shown.current
    if (before === null) return
    const signal = begin()
    try {
      let all: PageOf<T> = { items: [], next: null }
      do {
        const read = await ask(text.trim(), all.next, signal)
        all = { ...read, items: joinPages(all.items, read.items, keyOf) }
      } while (all.next !== null && all.items.length < before.items.length)
      if (!signal.aborted) show(all)
    } catch {}
  }

  const beginnings = useRef(0)
  const isWaiting = useRef(false)
  function after(work: () => Promise<void>) {
    const mine = beginnings.current
    last.current = last.current.then(() => (mine === beginnings.current ? work() : undefined))
  }
  /** What was asked for other inputs, or waits to be, does not matter any more. */
  function readAnew() {
    beginnings.current += 1
    isWaiting.current = false
    last.current = readPage(null)
  }
  const latest = useRef(readShown)
  latest.current = readShown
  /** One reading at a time, and one more for what changes meanwhile. */
  function refresh() {
    if (isWaiting.current) return
    isWaiting.current = true
    after(() => {
      isWaiting.current = false
      return latest.current()
    })
  }
  const refreshSoon = useThrottled(REFRESH_AFTER_MS, refresh)
  useEvery(pause_ms(page?.items ?? []), refresh)

  useEffect(() => {
    const timer = setTimeout(readAnew, text === '' ? 0 : LOOK_UP_AFTER_MS)
    return () => {
      clearTimeout(timer)
      running.current?.abort()
    }
  }, [text, ...inputs])
  useChanged(revision, refreshSoon)
  const next = page?.next ?? null
  return {
    items: page?.items ?? null,
    error,
    refused,
    busy,
    more: next === null ? null : () => after(() => readPage(next)),
    again: () => after(() => readPage(failed.current)),
  }
}
