import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { type Place, placeKey } from '../drafts/state.js'
import { dayOf } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { outbox } from '../platform/outbox.js'
import { state } from '../store.js'
import { Icon } from '../ui/icon.js'
import { readTimeline } from './actions.js'
import { noteSeen } from './reading.js'
import { RowView } from './row-view.js'
import { type Row, rowsOf } from './rows.js'
import './timeline.css'

interface TimelineProps {
  chat_id: number
  place: Place
  /** Opens at this message and marks it. */
  message_id: number | null
  /** Everything after it was unread when the chat was opened. */
  new_after: number | null
  label: string
}

const NEAR_END_PX = 600
const AT_BOTTOM_PX = 60

export function Timeline({ chat_id, place, message_id, new_after, label }: TimelineProps) {
  const run = state.messages.value.get(chat_id)
  const me = state.session.value?.user.id ?? 0
  const waiting = outbox.value.filter(
    ({ queue, name }) => queue === placeKey(place) && name === 'createMessage',
  )
  const rows = useMemo(
    () => (run ? rowsOf({ ...run, new_after, waiting, me, dayOf }) : []),
    [run, new_after, outbox.value, me],
  )
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const atBottom = useRef(true)
  const loading = useRef<'older' | 'newer' | null>(null)
  const opened = useRef(false)
  const firstKey = useRef<string | null>(null)
  const active = useSignal<number | null>(null)
  const [below, setBelow] = useState(false)

  // Rows came on top: the one under the eye stays where it is.
  const shift =
    opened.current && firstKey.current !== null && rows.findIndex(({ key }) => key === firstKey.current) > 0

  useLayoutEffect(() => {
    firstKey.current = rows.find(({ kind }) => kind === 'message' || kind === 'system')?.key ?? null
    if (!list.current || rows.length === 0) return
    if (!opened.current) {
      opened.current = true
      openAt(list.current, rows, message_id)
    } else if (atBottom.current && !shift) list.current.scrollToIndex(rows.length - 1, { align: 'end' })
  }, [rows])

  useEffect(() => {
    if (!opened.current || message_id === null) return
    const index = rows.findIndex((row) => row.key === `m${message_id}`)
    if (index >= 0) list.current?.scrollToIndex(index, { align: 'center' })
  }, [message_id])

  async function more(side: 'older' | 'newer') {
    const end = side === 'older' ? run?.messages[0] : run?.messages.at(-1)
    if (loading.current || !end) return
    loading.current = side
    await readTimeline(chat_id, side === 'older' ? { before: end.id } : { after: end.id }).catch(() => {})
    loading.current = null
  }

  function onScroll() {
    const handle = list.current
    if (!handle || !opened.current || !run) return
    const rest = handle.scrollSize - handle.scrollOffset - handle.viewportSize
    atBottom.current = rest < AT_BOTTOM_PX && !run.has_newer
    setBelow(rest > 400 || run.has_newer)
    if (handle.scrollOffset < NEAR_END_PX && run.has_older) void more('older')
    if (rest < NEAR_END_PX && run.has_newer) void more('newer')
    const last = rows[handle.findItemIndex(handle.scrollOffset + handle.viewportSize - 8)]
    if (last && 'message' in last) noteSeen(chat_id, last.message.id)
  }

  async function toNewest() {
    if (run?.has_newer) await readTimeline(chat_id, { newest: true })
    atBottom.current = true
    requestAnimationFrame(() => list.current?.scrollToIndex(rows.length - 1, { align: 'end' }))
  }

  return (
    <div class="timeline">
      <div
        ref={box}
        class="timeline-scroll scroll"
        role="log"
        aria-label={label}
        aria-live="off"
        onKeyDown={moveAmong}
      >
        <div class="timeline-top" />
        <Virtualizer
          ref={list}
          shift={shift}
          scrollRef={box}
          onScroll={onScroll}
          bufferSize={400}
          data={rows}
        >
          {(row: Row) => (
            <RowView
              key={row.key}
              row={row}
              marked={row.key === `m${message_id}`}
              active={active.value}
              onActive={(id) => {
                active.value = id
              }}
            />
          )}
        </Virtualizer>
      </div>
      {below && (
        <button type="button" class="to-newest" onClick={() => void toNewest()}>
          <Icon name="down" size="sm" />
          {words().messages.toNewest}
        </button>
      )}
    </div>
  )
}

/** The first paint is already at its place: the message asked for, the first unread one, or the newest. */
function openAt(list: VirtualizerHandle, rows: readonly Row[], messageId: number | null) {
  const asked = messageId === null ? -1 : rows.findIndex(({ key }) => key === `m${messageId}`)
  const fresh = rows.findIndex(({ kind }) => kind === 'new')
  if (asked >= 0) list.scrollToIndex(asked, { align: 'center' })
  else if (fresh >= 0) list.scrollToIndex(fresh, { align: 'start', offset: -80 })
  else list.scrollToIndex(rows.length - 1, { align: 'end' })
}

/** Up and down walk from message to message; the list is one stop of the Tab key. */
function moveAmong(event: KeyboardEvent) {
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[data-message]')]
  const at = all.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  event.preventDefault()
  all[at + (event.key === 'ArrowUp' ? -1 : 1)]?.focus()
}
