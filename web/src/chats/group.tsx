import type { ChatCard } from '@parley/contract'
import type { RefObject } from 'preact'
import { memo } from 'preact/compat'
import { useState } from 'preact/hooks'
import { words } from '../platform/i18n.js'
import { savePreferences } from '../settings/actions.js'
import { state } from '../store.js'
import { ToolLink } from '../ui/button.js'
import { Icon } from '../ui/icon.js'
import { dropChat, isChatDrag } from './drag.js'
import { GroupList } from './group-list.js'
import { SectionMenu } from './section-menu.js'
import type { Section } from './sections.js'
import './group.css'

/** The name of the group of favourites. */
export const FAVOURITES = 'favourites'

export interface GroupProps {
  /** Under which it is remembered as closed. */
  name: string
  title: string
  cards: readonly ChatCard[]
  current: number
  /** What adds a chat to it. */
  add_href?: string
  add_label?: string
  /** One that the person made; it is shown without chats too, as they are dragged there. */
  section?: Section
  /** What scrolls the whole list. */
  scroller: RefObject<HTMLDivElement | null>
}

/** A section of the list. Closed, it shows only what is unread or open. Drawn again only when its own cards change. */
export const Group = memo((props: GroupProps) => {
  const { name, title, cards, current, add_href, add_label = '', section, scroller } = props
  const [over, setOver] = useState(false)
  const closedNames = state.preferences.value.closed_sections
  const closed = closedNames.includes(name)
  if (cards.length === 0 && !add_href && !section) return null
  const toggle = () =>
    void savePreferences({
      closed_sections: closed ? closedNames.filter((one) => one !== name) : [...closedNames, name],
    })
  const shown = closed ? cards.filter(({ id, unread_count }) => id === current || unread_count > 0) : cards
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: chats are moved by their menu too.
    <section
      class={`group ${over ? 'group-over' : ''}`}
      onDragOver={(event) => {
        if (!isChatDrag(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        dropChat(event, section ? { section_id: section.id } : name === FAVOURITES ? FAVOURITES : 'usual')
      }}
    >
      <div class="group-head">
        <h2>
          <button type="button" class="group-toggle" aria-expanded={!closed} onClick={toggle}>
            <span class="group-title">{title}</span>
            <Icon name={closed ? 'right' : 'chevron'} />
          </button>
        </h2>
        {add_href && <ToolLink href={add_href} icon="plus" label={add_label} />}
        {section && <SectionMenu section={section} />}
      </div>
      {section && cards.length === 0 && !closed && <p class="group-empty">{words().sections.empty}</p>}
      <GroupList cards={shown} current={current} scroller={scroller} />
    </section>
  )
})
