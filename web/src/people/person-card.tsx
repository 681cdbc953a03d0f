import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { state } from '../store.js'
import { Button } from '../ui/button.js'
import { placeBeside } from '../ui/place.js'
import { PersonAbout } from './person-about.js'
import { personalPath } from './personal.js'
import './person-card.css'

const shown = signal<{ id: number; anchor: HTMLElement } | null>(null)

/** Shows who somebody is beside what was pressed. */
export function showPerson(id: number, anchor: HTMLElement) {
  shown.value = { id, anchor }
}

/** The card of a person; once in the page. */
export function PersonCardHost() {
  const { people, chats } = words()
  const box = useRef<HTMLDivElement>(null)
  const one = shown.value
  const person = one ? state.people.value.get(one.id) : undefined
  useLayoutEffect(() => {
    if (!one || !box.current) return
    box.current.showPopover()
    placeBeside(one.anchor, box.current)
    box.current.querySelector<HTMLElement>('button')?.focus()
  }, [one, person === undefined])
  if (!one || !person) return null
  const close = () => {
    box.current?.hidePopover()
    one.anchor.focus()
  }
  const mine = person.id === state.session.value?.user.id
  const go = (path: string) => {
    close()
    navigate(path)
  }
  return (
    <div
      ref={box}
      class="popover person-card"
      popover="auto"
      role="dialog"
      aria-label={person.name}
      onToggle={(event) => {
        if (event.newState === 'closed') shown.value = null
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      <PersonAbout person={person} />
      {mine ? (
        <Button icon="gear" onClick={() => go('/settings/profile')}>
          {chats.settings}
        </Button>
      ) : (
        <Button look="main" icon="chat" onClick={() => go(personalPath(person.id))}>
          {people.write}
        </Button>
      )}
    </div>
  )
}
