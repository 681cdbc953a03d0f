import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Virtualizer } from 'virtua'
import { type Place, placeKey } from '../drafts/state.js'
import { Reading } from '../frame/waiting.js'
import { dayOf } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { outbox } from '../platform/outbox.js'
import { state } from '../store.js'
import { Count } from '../ui/count.js'
import { Icon } from '../ui/icon.js'
import { useKeptElements } from '../ui/kept-elements.js'
import { DateJump } from './date-jump.js'
import { type AskingAt, DayMark, type PressedMark } from './day-mark.js'
import { HeardMessages } from './heard-messages.js'
import { PrintedRows } from './printed-rows.js'
import { RowView } from './row-view.js'
import { type Drawn, drawAgain, type Row } from './rows.js'
import { onTimelineKey } from './timeline-keys.js'
import { useScroll } from './use-scroll.js'
import './timeline.css'

const AHEAD_AT_FIRST_PX = 80
const AHEAD_PX = 400

interface TimelineProps {
  chat_id: number
  place: Place
  /** Opens at this message and marks it. */
  message_id: number | null
  /** Everything after it was unread when the chat was opened. */
  new_after: number | null
  label: string
  /** Shown above the very first message. */
  start: string
  /** A chat fills from below, a thread from above. */
  fromTop?: boolean
}

export function Timeline({
  chat_id,
  place,
  message_id,
  new_after,
  label,
  start,
  fromTop = false,
}: TimelineProps) {
  const run = state.messages.value.get(chat_id)
  const me = state.session.value?.user.id ?? 0
  const waiting = outbox.value.filter(
    ({ queue, name }) => queue === placeKey(place) && name === 'createMessage',
  )
  const drawn = useRef<Drawn | null>(null)
  const rows = useMemo(() => {
    drawn.current = run ? drawAgain(drawn.current, { ...run, new_after, waiting, me, dayOf }) : null
    return drawn.current?.rows ?? []
  }, [run, new_after, outbox.value, me])
  const box = useRef<HTMLDivElement>(null)
  const active = useSignal<number | null>(null)
  const { list, shift, below, top, look, toNewest, toDate } = useScroll({
    box,
    chat_id,
    run,
    rows,
    message_id,
    onGone: (id) => navigate(withMessage(location.href, fromTop ? 'reply' : 'message', id)),
  })

  const ahead_px = useAhead()
  const asking = useSignal<PressedMark | null>(null)
  const element = useElements({ start, message_id, active, asking })

  // Whoever sends wants to see it, wherever they were reading.
  const sending = useRef(waiting.length)
  useEffect(() => {
    if (waiting.length > sending.current) void toNewest()
    sending.current = waiting.length
  }, [waiting.length])

  return (
    <div class={`timeline ${fromTop ? 'timeline-from-top' : ''}`}>
      <div
        ref={box}
        class="timeline-scroll scroll"
        role="log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: one stop of the Tab key, from which arrows walk the messages.
        tabIndex={0}
        aria-label={label}
        aria-live="off"
        onKeyDown={onTimelineKey}
      >
        <div class="timeline-top" />
        <PrintedRows rows={rows} start={start} />
        <Virtualizer
          ref={list}
          shift={shift}
          scrollRef={box}
          onScroll={look}
          bufferSize={ahead_px}
          data={rows as Row[]}
        >
          {element}
        </Virtualizer>
      </div>
      <HeardMessages run={run} isNear={!below} />
      {!run && <Reading />}
      {top && (
        <div class="timeline-day">
          <DayMark at={top} asking={asking} />
        </div>
      )}
      <DateJump asking={asking} onGo={toDate} />
      {below && (
        <button type="button" class="to-newest" onClick={() => void toNewest()}>
          <Icon name="down" size="sm" />
          {words().messages.toNewest}
          <UnreadBelow chat_id={chat_id} />
        </button>
      )}
    </div>
  )
}

/** How many messages of the chat are unread; they are below what is read. */
function UnreadBelow({ chat_id }: { chat_id: number }) {
  const { unread_count = 0, mention_count = 0 } = state.chats.value.get(chat_id) ?? {}
  const { chats } = words()
  if (unread_count === 0) return null
  const label = mention_count > 0 ? chats.mentions(unread_count) : chats.unread(unread_count)
  return <Count value={unread_count} call={mention_count > 0} label={label} />
}

interface ElementsOf {
  start: string
  message_id: number | null
  active: Signal<number | null>
  asking: AskingAt
}

/** The list asks for the elements of all its rows in each frame while it is scrolled. */
function useElements({ start, message_id, active, asking }: ElementsOf) {
  return useKeptElements<Row>(
    (row) => (
      <RowView
        key={row.key}
        row={row}
        start={start}
        marked={row.key === `m${message_id}`}
        active={active}
        asking={asking}
      />
    ),
    [start, message_id],
  )
}

/** How far beyond the view rows are drawn: little for the first paint, and what fast scrolling needs after it. */
function useAhead(): number {
  const [ahead_px, setAhead] = useState(AHEAD_AT_FIRST_PX)
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setAhead(AHEAD_PX))
    })
    let timer: ReturnType<typeof setTimeout> | undefined
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return ahead_px
}

/** The same address at another message, so that Back leads to where one came from. */
function withMessage(href: string, name: 'message' | 'reply', id: number): string {
  const url = new URL(href)
  url.searchParams.set(name, String(id))
  return url.pathname + url.search
}
