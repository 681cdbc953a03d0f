import { useEffect, useRef, useState } from 'preact/hooks'
import { mayPass } from './api.js'
import { joinPages, type PageOf } from './pages.js'
import { refusalText } from './refusal.js'

const LOOK_UP_AFTER_MS = 150

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

/** A list that is read page by page, narrowed by a text once it has rested for a moment. */
export function usePages<T>(
  text: string,
  ask: Ask<T>,
  keyOf: (item: T) => unknown,
  inputs: readonly unknown[] = [],
): Pages<T> {
  const [page, setPage] = useState<PageOf<T> | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [refused, setRefused] = useState(false)
  const [busy, setBusy] = useState(false)
  const failed = useRef<string | null>(null)
  const running = useRef<AbortController | null>(null)

  async function read(cursor: string | null) {
    running.current?.abort()
    const abort = new AbortController()
    running.current = abort
    setBusy(true)
    setError(null)
    try {
      const read = await ask(text.trim(), cursor, abort.signal)
      if (abort.signal.aborted) return
      setPage((last) =>
        cursor && last ? { ...read, items: joinPages(last.items, read.items, keyOf) } : read,
      )
    } catch (failure) {
      if (abort.signal.aborted) return
      failed.current = cursor
      // What was there may be the answer to another question.
      if (cursor === null) setPage(null)
      setError(refusalText(failure))
      setRefused(!mayPass(failure))
    }
    if (!abort.signal.aborted) setBusy(false)
  }

  useEffect(() => {
    const timer = setTimeout(() => void read(null), text === '' ? 0 : LOOK_UP_AFTER_MS)
    return () => {
      clearTimeout(timer)
      running.current?.abort()
    }
  }, [text, ...inputs])
  const next = page?.next ?? null
  return {
    items: page?.items ?? null,
    error,
    refused,
    busy,
    more: next === null ? null : () => void read(next),
    again: () => void read(failed.current),
  }
}
