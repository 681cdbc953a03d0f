import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { VirtualizerHandle } from 'virtua'
import { mayPass } from '../platform/api.js'
import { dayOf } from '../platform/format.js'
import { readTimeline } from './actions.js'
import { noteSeen } from './reading.js'
import type { Row } from './rows.js'
import type { Run } from './state.js'

const NEAR_END_PX = 600
const AT_BOTTOM_PX = 60
const FAR_PX = 400
/** After a page that could not be read. */
const AGAIN_AFTER_MS = 2000
/** After a page that was read. */
const DRAWN_AFTER_MS = 100

/** Whether rows were added or removed on top since `note`: then the row under the eye stays where it is. */
function useShift(rows: readonly Row[]) {
  const first = useRef<{ key: string; index: number } | null>(null)
  const last = useRef('')
  const known = first.current && rows.findIndex(({ key }) => key === first.current?.key)
  const grown = known !== null && known > (first.current?.index ?? 0)
  const cut = known === -1 && rows.some(({ key }) => key === last.current)

  function note() {
    const index = rows.findIndex(({ kind }) => kind === 'message' || kind === 'system')
    first.current = index < 0 ? null : { key: rows[index]?.key ?? '', index }
    last.current = rows.at(-1)?.key ?? ''
  }

  return { grown, shifted: grown || cut, note }
}

/**
 * Whether the reader is at the newest message, and wants to stay there. Only scrolling up leaves it: rows that were added
 * and not measured yet put the end further away as well.
 */
function useBottom() {
  const atBottom = useRef(true)
  const offset = useRef(0)
  return {
    atBottom,
    note(scrollOffset: number, isNear: boolean) {
      if (isNear) atBottom.current = true
      else if (scrollOffset < offset.current) atBottom.current = false
      offset.current = scrollOffset
    },
    /** Rows on top were added or removed: the next offset says nothing about the direction. */
    shifted() {
      offset.current = 0
    },
  }
}

/** Goes to a message, at once or when its page is here. */
function useTarget(rows: readonly Row[], list: RefObject<VirtualizerHandle | null>, onArrived: () => void) {
  const wanted = useRef<number | null>(null)

  /** False where no message is waited for. */
  function arrive(): boolean {
    if (wanted.current === null) return false
    const index = rows.findIndex((row) => row.key === `m${wanted.current}`)
    if (index < 0) return true
    wanted.current = null
    onArrived()
    if (list.current) showRow(list.current, rows, index)
    return true
  }

  function goTo(id: number | null) {
    if (id === null) return
    wanted.current = id
    arrive()
  }

  return { arrive, goTo }
}

/**
 * Reads the page before or after the messages that are here, one at a time. `onRead` is called after each, as other
 * messages may be here by then, and a while after one that could not be read and may be read later.
 */
function useMore(chat_id: number, run: Run | undefined, onRead: () => void) {
  const loading = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const call = useRef(onRead)
  call.current = onRead
  useEffect(() => () => clearTimeout(timer.current), [])
  return async (side: 'older' | 'newer') => {
    const end = side === 'older' ? run?.messages[0] : run?.messages.at(-1)
    if (loading.current || !end || run?.stale) return
    loading.current = true
    const lookAgainAfter = (wait_ms: number) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => call.current(), wait_ms)
    }
    try {
      await readTimeline(chat_id, side === 'older' ? { before: end.id } : { after: end.id })
      lookAgainAfter(DRAWN_AFTER_MS)
    } catch (error) {
      if (mayPass(error)) lookAgainAfter(AGAIN_AFTER_MS)
    }
    loading.current = false
  }
}

interface Resized {
  /** The box has another height: the field below it grows with its text, a keyboard comes up. */
  onBox(): void
  /** So has the box or what is in it, in the frame after: the list measures its rows and the box after they are drawn. */
  onAny(): void
}

function useResize(box: RefObject<HTMLElement | null>, resized: Resized) {
  const call = useRef(resized)
  call.current = resized
  useEffect(() => {
    const element = box.current
    if (!element) return
    let height_px = element.clientHeight
    let frame = 0
    const observer = new ResizeObserver(() => {
      if (element.clientHeight !== height_px) call.current.onBox()
      height_px = element.clientHeight
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => call.current.onAny())
    })
    for (const one of [element, ...element.children]) observer.observe(one)
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [])
}

interface Scrolling {
  /** What scrolls. */
  box: RefObject<HTMLElement | null>
  chat_id: number
  run: Run | undefined
  rows: readonly Row[]
  /** The message that the address names. */
  message_id: number | null
  onGone(id: number): void
}

/** Where the reader is in a timeline: opens at the right place, stays there, and reads on at both ends. */
export function useScroll({ box, chat_id, run, rows, message_id, onGone }: Scrolling) {
  const list = useRef<VirtualizerHandle>(null)
  const bottom = useBottom()
  const { atBottom } = bottom
  const opened = useRef(false)
  const [below, setBelow] = useState(false)
  const [top, setTop] = useState<string | null>(null)
  /** What a date led to; a new object each time, as people may go to the same day twice. */
  const [asked, setAsked] = useState<{ id: number } | null>(null)
  const { grown, shifted, note } = useShift(rows)
  const more = useMore(chat_id, run, () => look())
  const { arrive, goTo } = useTarget(rows, list, () => (atBottom.current = false))
  const toEnd = () => list.current?.scrollToIndex(rows.length - 1, { align: 'end' })
  /** The newest messages are being read to be gone to. */
  const awaited = useRef(false)

  useLayoutEffect(() => {
    note()
    if (shifted) bottom.shifted()
    if (!list.current || rows.length === 0) return
    if (!opened.current) {
      opened.current = true
      atBottom.current = openAt(list.current, rows, message_id)
    } else if (!arrive() && atBottom.current && !grown) toEnd()
    const frame = requestAnimationFrame(look)
    return () => cancelAnimationFrame(frame)
  }, [rows])

  // Among older messages no look finds the reader at the bottom, as one while the newest were on their way.
  useLayoutEffect(() => {
    if (!awaited.current || run?.has_newer !== false) return
    awaited.current = false
    atBottom.current = true
    toEnd()
  }, [run?.has_newer])

  // A page at one end that was empty changes no row, and the other end is still to be read where the rows do not fill the box.
  useEffect(() => {
    const frame = requestAnimationFrame(look)
    return () => cancelAnimationFrame(frame)
  }, [run?.has_older, run?.has_newer])

  useResize(box, {
    onBox() {
      if (atBottom.current && opened.current) toEnd()
    },
    onAny: look,
  })

  useEffect(() => {
    if (opened.current) goTo(message_id)
  }, [message_id])
  useEffect(() => goTo(asked?.id ?? null), [asked])

  /** Notes what is shown: how far from the ends it is, and what has been seen. */
  function look() {
    const handle = list.current
    if (!handle || !opened.current || !run) return
    const rest = handle.scrollSize - handle.scrollOffset - handle.viewportSize
    if (run.has_newer) atBottom.current = false
    else bottom.note(handle.scrollOffset, rest < AT_BOTTOM_PX)
    const isFar = rest > FAR_PX || run.has_newer
    setBelow(isFar)
    const at = isFar ? dayAtTop(handle, rows) : null
    setTop((before) => (before && at && dayOf(before) === dayOf(at) ? before : at))
    if (handle.scrollOffset < NEAR_END_PX && run.has_older) void more('older')
    if (rest < NEAR_END_PX && run.has_newer) void more('newer')
    const seen = rows[handle.findItemIndex(handle.scrollOffset + handle.viewportSize - 8)]
    if (seen && 'message' in seen) noteSeen(chat_id, seen.message.id)
  }

  async function toNewest() {
    awaited.current = run?.has_newer === true
    atBottom.current = true
    if (!awaited.current) return toEnd()
    await readTimeline(chat_id, { newest: true }).catch(() => {
      awaited.current = false
    })
  }

  /** To the first message that is not earlier; to the newest where there is none. */
  async function toDate(at: Date) {
    atBottom.current = false
    const id = await readTimeline(chat_id, { at: at.toISOString() })
    if (id === null) return toNewest()
    setAsked({ id })
    onGone(id)
  }

  return { list, shift: opened.current && shifted, below, top, look, toNewest, toDate }
}

const PILL_PX = 44

/** A time of the day that is read at the top, where the mark of no day is in sight there. */
function dayAtTop(list: VirtualizerHandle, rows: readonly Row[]): string | null {
  const first = list.findItemIndex(list.scrollOffset)
  const last = list.findItemIndex(list.scrollOffset + PILL_PX)
  const shown = rows.slice(first, last + 1)
  const row = shown[0]
  if (!row || !('message' in row) || shown.some(({ kind }) => kind === 'day' || kind === 'new')) return null
  return row.message.created_at
}

const FROM_TOP = { align: 'start', offset: -80 } as const
/** Characters of a message that a small screen shows whole. */
const SHORT_CHARACTERS = 400
const SHORT_LINES = 10

/** In the middle of the box; a long message from its beginning. Its height is not known before it is drawn. */
function showRow(list: VirtualizerHandle, rows: readonly Row[], index: number) {
  const row = rows[index]
  const content = row && 'message' in row ? row.message.content : ''
  const isShort = content.length <= SHORT_CHARACTERS && content.split('\n').length <= SHORT_LINES
  list.scrollToIndex(index, isShort ? { align: 'center' } : FROM_TOP)
}

/** The first paint is already at its place: the message asked for, the first unread one, or the newest; true for that. */
function openAt(list: VirtualizerHandle, rows: readonly Row[], messageId: number | null): boolean {
  const asked = messageId === null ? -1 : rows.findIndex(({ key }) => key === `m${messageId}`)
  const fresh = rows.findIndex(({ kind }) => kind === 'new')
  if (asked >= 0) showRow(list, rows, asked)
  else if (fresh >= 0) list.scrollToIndex(fresh, FROM_TOP)
  else list.scrollToIndex(rows.length - 1, { align: 'end' })
  return asked < 0 && fresh < 0
}
