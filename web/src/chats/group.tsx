import type { ChatCard } from '@parley/contract'
import type { RefObject } from 'preact'
import { savePreferences } from '../settings/actions.js'
import { state } from '../store.js'
import { ToolLink } from '../ui/button.js'
import { Icon } from '../ui/icon.js'
import { GroupList } from './group-list.js'
import './group.css'

interface GroupProps {
  /** Under which it is remembered as closed. */
  name: string
  title: string
  cards: readonly ChatCard[]
  current: number
  add?: readonly [href: string, label: string]
  /** What scrolls the whole list. */
  scroller: RefObject<HTMLDivElement | null>
}

/** A section of the list. Closed, it shows only what is unread or open. */
export function Group({ name, title, cards, current, add, scroller }: GroupProps) {
  const closedNames = state.preferences.value.closed_sections
  const closed = closedNames.includes(name)
  if (cards.length === 0 && !add) return null
  const toggle = () =>
    void savePreferences({
      closed_sections: closed ? closedNames.filter((one) => one !== name) : [...closedNames, name],
    })
  const shown = closed ? cards.filter(({ id, unread_count }) => id === current || unread_count > 0) : cards
  return (
    <section class="group">
      <div class="group-head">
        <h2>
          <button type="button" class="group-toggle" aria-expanded={!closed} onClick={toggle}>
            {title}
            <Icon name={closed ? 'right' : 'chevron'} />
          </button>
        </h2>
        {add && <ToolLink href={add[0]} icon="plus" label={add[1]} />}
      </div>
      <GroupList cards={shown} current={current} scroller={scroller} />
    </section>
  )
}
