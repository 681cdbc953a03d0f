import type { ChatCard, PersonCard } from '@parley/contract'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { titleOf } from '../chats/entry.js'
import { personAt } from '../people/names.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { apply, state } from '../store.js'
import { readChat } from '../sync.js'
import { Button } from '../ui/button.js'
import { TextField } from '../ui/field.js'
import { useAutofocus } from '../ui/use-autofocus.js'
import { Choose, FilterField } from './filter-field.js'
import { addressOf, dayOf, type Filters } from './filters.js'
import './search.css'

interface SearchFormProps {
  /** What was asked, as the address holds it. */
  filters: Filters
  onAsk(filters: Filters): void
  /** The arrow down goes to the results. */
  onDown(): void
}

/** What to look for and where. Nothing is asked before Enter. */
export function SearchForm({ filters, onAsk, onDown }: SearchFormProps) {
  const [next, setNext] = useState(filters)
  const field = useRef<HTMLInputElement>(null)
  const { search, common } = words()
  const put = (more: Partial<Filters>) => setNext((known) => ({ ...known, ...more }))
  // A filter of something that was asked already asks again.
  const change = (more: Partial<Filters>) => {
    put(more)
    if (next.q.trim() !== '') onAsk({ ...next, ...more })
  }
  // Digits of a year that is being typed make a day of the first centuries.
  const changeDay = (name: 'after' | 'before', text: string) =>
    text === '' || dayOf(text) ? change({ [name]: dayOf(text) }) : put({ [name]: text })
  useAutofocus(field, filters.q === '')
  // Back and forward change the address while the form stays.
  useLayoutEffect(() => setNext(filters), [addressOf(filters)])
  useEffect(() => {
    if (filters.in !== null && !state.chats.peek().has(filters.in)) void readChat(filters.in).catch(() => {})
  }, [filters.in])

  return (
    <search>
      <form
        class="search-form"
        onSubmit={(event) => {
          event.preventDefault()
          onAsk({ ...next, q: next.q.trim() })
        }}
      >
        <div class="search-line">
          <input
            ref={field}
            class="input"
            type="search"
            aria-label={search.what}
            placeholder={search.what}
            value={next.q}
            onInput={({ currentTarget }) => put({ q: currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown') return
              event.preventDefault()
              onDown()
            }}
          />
          <Button type="submit" look="main" icon="search">
            {common.search}
          </Button>
        </div>
        <div class="search-filters">
          <ChatFilter id={next.in} onChange={(id) => change({ in: id })} />
          <PersonFilter id={next.from} onChange={(id) => change({ from: id })} />
          <TextField
            label={search.after}
            type="date"
            value={next.after ?? ''}
            onText={(text) => changeDay('after', text)}
          />
          <TextField
            label={search.before}
            type="date"
            value={next.before ?? ''}
            onText={(text) => changeDay('before', text)}
          />
        </div>
      </form>
    </search>
  )
}

interface FilterProps {
  id: number | null
  onChange(id: number | null): void
}

function ChatFilter({ id, onChange }: FilterProps) {
  const [text, setText] = useState('')
  const { search } = words()
  const wanted = text.trim().toLocaleLowerCase()
  const card = id === null ? undefined : state.chats.value.get(id)
  const items = [...state.chats.value.values()]
    .filter((one) => one.kind !== 'thread' && titleOf(one).toLocaleLowerCase().includes(wanted))
    .slice(0, 8)
  return (
    <FilterField
      label={search.inChat}
      chosen={id === null ? null : card ? titleOf(card) : '…'}
      onClear={() => onChange(null)}
    >
      {(wired) => (
        <Choose<ChatCard>
          {...wired}
          placeholder={search.anyChat}
          items={items}
          draw={(one) => <span class="option-name">{titleOf(one)}</span>}
          onSearch={setText}
          onChoose={(one) => onChange(one.id)}
        />
      )}
    </FilterField>
  )
}

function PersonFilter({ id, onChange }: FilterProps) {
  const [items, setItems] = useState<readonly PersonCard[]>([])
  const { search } = words()
  const look = async (query: string) => {
    const { data } = await call('listPeople', { query: { query, limit: 8 } })
    apply({ type: 'people', people: data })
    setItems(data)
  }
  useEffect(() => void look('').catch(() => {}), [])
  return (
    <FilterField
      label={search.from}
      chosen={id === null ? null : personAt(id).name}
      onClear={() => onChange(null)}
    >
      {(wired) => (
        <Choose<PersonCard>
          {...wired}
          placeholder={search.anybody}
          items={items}
          draw={(one) => (
            <>
              <PersonAvatar id={one.id} size="small" />
              <span class="option-name">{one.name}</span>
            </>
          )}
          onSearch={(text) => void look(text).catch(() => {})}
          onChoose={(one) => onChange(one.id)}
        />
      )}
    </FilterField>
  )
}
