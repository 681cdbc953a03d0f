import type { Delivery, DeliveryState } from '@parley/contract'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../platform/api.js'
import { joinPages, nextOf } from '../platform/pages.js'
import { refusalText } from '../platform/refusal.js'
import { useEvery } from '../platform/use-every.js'

const AGAIN_AFTER_MS = 3_000

interface Log {
  items: readonly Delivery[]
  /** The cursor behind the oldest one that is shown. */
  next: string | null
}

/** What was read again takes the place of what is known, and what is new comes on top. */
function withNewest(known: readonly Delivery[], newest: readonly Delivery[]): readonly Delivery[] {
  const last = newest.at(-1)
  const older = last ? known.filter(({ created_at }) => created_at <= last.created_at) : []
  return joinPages(newest, older, ({ id }) => id)
}

/** The log of a bot. While it is looked at, the newest page is read again every few seconds. */
export function useDeliveries(id: number, state: DeliveryState | 'all') {
  const [log, setLog] = useState<Log | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const current = useRef(0)

  async function ask(cursor: string | null) {
    const query = { limit: 50, ...(state === 'all' ? {} : { state }), ...(cursor ? { cursor } : {}) }
    const { data, meta } = await call('listDeliveries', { params: { id }, query })
    return { items: data, next: nextOf(meta) }
  }

  async function refresh() {
    const asked = current.current
    try {
      const page = await ask(null)
      if (asked !== current.current) return
      setError(null)
      setLog((known) => {
        const items = known ? withNewest(known.items, page.items) : page.items
        return { items, next: known && items.length > page.items.length ? known.next : page.next }
      })
    } catch (failure) {
      if (asked === current.current) setError(refusalText(failure))
    }
  }

  async function more() {
    if (!log?.next) return
    const asked = current.current
    setBusy(true)
    try {
      const page = await ask(log.next)
      if (asked === current.current)
        setLog((known) => ({
          items: joinPages(known?.items ?? [], page.items, (one) => one.id),
          next: page.next,
        }))
    } catch (failure) {
      setError(refusalText(failure))
    }
    setBusy(false)
  }

  useEffect(() => {
    current.current += 1
    setLog(null)
    void refresh()
  }, [id, state])
  useEvery(AGAIN_AFTER_MS, () => void refresh())
  return { items: log?.items ?? null, error, busy, refresh, more: log?.next ? () => void more() : null }
}
