import type { ChatCard } from '@parley/contract'
import type { RefObject, VNode } from 'preact'
import { memo } from 'preact/compat'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { Entry } from './entry.js'
import { EntryMenu } from './entry-menu.js'

interface GroupListProps {
  cards: readonly ChatCard[]
  current: number
  /** What scrolls the whole list. */
  scroller: RefObject<HTMLDivElement | null>
}

/** Short lists are drawn whole; of long ones only what is near the view. */
const WHOLE_AT_MOST = 24

export function GroupList({ cards, current, scroller }: GroupListProps) {
  // Only the entry under the pointer or the focus has a menu: a long list would carry hundreds.
  const [active, setActive] = useState<number | null>(null)
  // The long list holds the first of these functions for good: elements that it kept would hold all that was drawn with them.
  const item = useCallback(
    (card: ChatCard) => (
      <Item
        key={card.id}
        card={card}
        current={card.id === current}
        active={card.id === active}
        onActive={setActive}
      />
    ),
    [current, active],
  )
  // The chat that was opened elsewhere, by the switcher or by a link, is shown in the list: once it is there.
  const shown = cards.some(({ id }) => id === current) ? current : null
  if (cards.length > WHOLE_AT_MOST)
    return <LongList cards={cards} shown={shown} scroller={scroller} item={item} />
  return <ShortList cards={cards} shown={shown} item={item} />
}

interface ShortListProps {
  cards: readonly ChatCard[]
  /** The chat that the list is scrolled to. */
  shown: number | null
  item(card: ChatCard): VNode
}

function ShortList({ cards, shown, item }: ShortListProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(
    () => list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }),
    [shown],
  )
  return (
    <ul ref={list}>
      {cards.map((card) => (
        <li key={card.id}>{item(card)}</li>
      ))}
    </ul>
  )
}

interface LongListProps extends ShortListProps, Pick<GroupListProps, 'scroller'> {}

function LongList({ cards, shown, scroller, item }: LongListProps) {
  const top = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const [above_px, setAbove] = useState(0)
  // The content above it grows and shrinks. Observing begins with a call after the layout; asking before it would force one.
  useLayoutEffect(() => {
    const measure = () => {
      if (!top.current || !scroller.current) return
      const { scrollTop } = scroller.current
      const offset = top.current.getBoundingClientRect().top - scroller.current.getBoundingClientRect().top
      setAbove(Math.round(offset + scrollTop))
    }
    const observer = new ResizeObserver(measure)
    for (const part of scroller.current?.children ?? []) observer.observe(part)
    return () => observer.disconnect()
  }, [cards.length])
  // As in a short list, once it is known where this one begins.
  useEffect(() => {
    const index = above_px > 0 ? cards.findIndex(({ id }) => id === shown) : -1
    if (index >= 0) list.current?.scrollToIndex(index, { align: 'nearest' })
  }, [shown, above_px > 0])
  return (
    <div ref={top}>
      <Virtualizer
        ref={list}
        as="ul"
        item="li"
        scrollRef={scroller}
        startMargin={above_px}
        data={cards as ChatCard[]}
      >
        {item}
      </Virtualizer>
    </div>
  )
}

interface ItemProps {
  card: ChatCard
  current: boolean
  active: boolean
  onActive(id: number): void
}

/** The list changes with every message, and most of its cards do not. */
const Item = memo(({ card, current, active, onActive }: ItemProps) => (
  <div
    class="group-item"
    onPointerEnter={(event) => event.pointerType === 'mouse' && onActive(card.id)}
    onFocusCapture={() => onActive(card.id)}
  >
    <Entry card={card} current={current} />
    {active && <EntryMenu card={card} />}
  </div>
))
