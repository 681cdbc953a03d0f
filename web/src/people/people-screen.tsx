import { useState } from 'preact/hooks'
import { isGuest } from '../account/guest.js'
import { Page } from '../frame/page.js'
import { ListEnd } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { apply, state } from '../store.js'
import { Empty } from '../ui/empty.js'
import { SearchField } from '../ui/search-field.js'
import { personAt } from './names.js'
import { PersonAvatar } from './person-avatar.js'
import { personalPath } from './personal.js'

async function findPeople(query: string, cursor: string | null, signal: AbortSignal) {
  const asked = { query, limit: 50, ...(cursor ? { cursor } : {}) }
  const { data, meta } = await call('listPeople', { query: asked, signal })
  apply({ type: 'people', people: data })
  return { items: data, next: nextOf(meta) }
}

/** Everybody that can be written to. */
export function PeopleRoute() {
  const { people, common, messages } = words()
  const [text, setText] = useState('')
  // Guests see the people of their chats, and hear of nobody else.
  const revision = state.peopleRevision.value + (isGuest() ? state.chatRevision.value : 0)
  const pages = usePages(text, findPeople, ({ id }) => id, [], { revision })
  const { items } = pages
  const me = state.session.value?.user.id
  return (
    <Page title={people.title}>
      <SearchField label={people.field} value={text} onText={setText} />
      {items?.length === 0 && <Empty icon="people" title={common.nothingFound} text={people.none} />}
      <ul class="rows">
        {items
          ?.filter(({ id }) => id !== me)
          .map(({ id }) => personAt(id))
          .map((person) => (
            <li key={person.id}>
              <a class="row" href={personalPath(person.id)}>
                <PersonAvatar id={person.id} withPresence />
                <span class="row-main">
                  <span class="row-name">
                    {person.name} {person.status?.emoji}
                  </span>
                  <span class="row-about">
                    {[`@${person.nickname}`, person.title].filter(Boolean).join(' · ')}
                  </span>
                </span>
                {person.bot && <span class="row-tag">{messages.bot}</span>}
              </a>
            </li>
          ))}
      </ul>
      <ListEnd {...pages} />
    </Page>
  )
}
