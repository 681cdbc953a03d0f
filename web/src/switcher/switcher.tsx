import { useState } from 'preact/hooks'
import { iconOf, titleOf } from '../chats/entry.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { personalPath } from '../people/personal.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { useLookUp } from '../platform/use-look-up.js'
import { apply, state } from '../store.js'
import { Count } from '../ui/count.js'
import { Dialog } from '../ui/dialog.js'
import { Icon } from '../ui/icon.js'
import { Listbox } from '../ui/listbox.js'
import { useOptions } from '../ui/options.js'
import { commands } from './commands.js'
import { type Found, find, matches } from './find.js'
import './switcher.css'

async function lookUp(query: string, signal: AbortSignal) {
  if (query === '') return { people: [], chats: [] }
  const [people, chats] = await Promise.all([
    call('listPeople', { query: { query, limit: 10 }, signal }),
    call('lookUpChats', { query: { query, limit: 10 }, signal }),
  ])
  apply({ type: 'people', people: people.data })
  return { people: people.data, chats: chats.data }
}

/** What is known here at once, and what the server finds a moment later. */
function useFound(text: string, all: ReturnType<typeof commands>): Found[] {
  const { found: server, fresh } = useLookUp(text, lookUp)
  return find(text, {
    cards: [...state.chats.value.values()],
    titleOf,
    // Somebody without chats sees what else there is.
    commands: text.trim() === '' && state.chats.value.size > 0 ? [] : all,
    people: (server?.people ?? []).filter(
      ({ name, nickname }) => fresh || matches(text, `${name} ${nickname}`),
    ),
    chats: (server?.chats ?? []).filter(({ name }) => fresh || matches(text, name)),
    me: state.session.value?.user.id ?? 0,
  })
}

/** Jumps to a chat, a person or a command by a few letters. */
export function Switcher({ onClose }: { onClose(): void }) {
  const { switcher, common } = words()
  const [text, setText] = useState('')
  const all = commands()
  const found = useFound(text, all)

  function choose(index: number) {
    const one = found[index]
    if (!one) return
    onClose()
    if (one.kind === 'command') all.find(({ name }) => name === one.name)?.run()
    else navigate(one.kind === 'chat' ? `/chats/${one.chat.id}` : personalPath(one.person.id))
  }
  const options = useOptions(found.length, choose)

  function onKeyDown(event: KeyboardEvent) {
    if (event.isComposing || event.key === 'Tab') return
    if (event.key === 'Enter' && found.length === 0 && text.trim() !== '') searchFor(text)
    else options.onKeyDown(event)
  }
  function searchFor(query: string) {
    onClose()
    navigate(`/search?q=${encodeURIComponent(query.trim())}`)
  }

  return (
    <Dialog title={switcher.title} closeLabel={common.close} onClose={onClose}>
      <div class="switcher">
        <input
          class="input"
          role="combobox"
          aria-label={switcher.field}
          aria-expanded={found.length > 0}
          aria-controls={options.listId}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? options.optionId(options.active) : undefined}
          autocomplete="off"
          autofocus
          placeholder={switcher.field}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {found.length > 0 ? (
          <Listbox
            label={switcher.title}
            items={found}
            options={options}
            keyOf={keyOf}
            draw={(one) => <FoundLine one={one} />}
            onChoose={choose}
          />
        ) : (
          <p class="switcher-none" role="status">
            {common.nothingFound}
          </p>
        )}
        {text.trim() !== '' && (
          <button type="button" class="switcher-search" onClick={() => searchFor(text)}>
            <Icon name="search" />
            {switcher.searchFor(text.trim())}
          </button>
        )}
      </div>
    </Dialog>
  )
}

function keyOf(one: Found): string {
  return one.kind === 'chat' ? `c${one.chat.id}` : one.kind === 'person' ? `p${one.person.id}` : one.name
}

function FoundLine({ one }: { one: Found }) {
  const { switcher, chats } = words()
  if (one.kind === 'command')
    return (
      <>
        <Icon name="right" />
        <span class="option-name">{one.title}</span>
        <span class="option-more">{switcher.command}</span>
      </>
    )
  if (one.kind === 'person')
    return (
      <>
        <PersonAvatar id={one.person.id} size="small" withPresence />
        <span class="option-name">{one.person.name}</span>
        <span class="option-more">@{one.person.nickname}</span>
      </>
    )
  const card = state.chats.value.get(one.chat.id)
  const mine = card !== undefined && card.my_role !== null
  return (
    <>
      {one.chat.personal_user_id === null ? (
        <Icon name={iconOf(one.chat)} />
      ) : (
        <PersonAvatar id={one.chat.personal_user_id} size="small" withPresence />
      )}
      <span class="option-name">{one.title}</span>
      {!mine && <span class="option-more">{switcher.notJoined}</span>}
      {card && card.unread_count > 0 && (
        <Count
          value={card.unread_count}
          call={card.mention_count > 0}
          label={chats.unread(card.unread_count)}
        />
      )}
    </>
  )
}
