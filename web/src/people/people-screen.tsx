import { useState } from 'preact/hooks'
import { Page } from '../frame/page.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { useLookUp } from '../platform/use-look-up.js'
import { apply, state } from '../store.js'
import { Empty } from '../ui/empty.js'
import { PersonAvatar } from './person-avatar.js'
import { personalPath } from './personal.js'

/** Everybody that can be written to. */
export function PeopleRoute() {
  const { people, common, messages } = words()
  const [text, setText] = useState('')
  const { found, failed } = useLookUp(text, async (query, signal) => {
    const { data } = await call('listPeople', { query: { query, limit: 50 }, signal })
    apply({ type: 'people', people: data })
    return data
  })
  const me = state.session.value?.user.id
  return (
    <Page title={people.title}>
      <input
        class="input"
        type="search"
        aria-label={people.field}
        placeholder={people.field}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {found === null && <p role="status">{failed ? common.failed : common.loading}</p>}
      {found?.length === 0 && <Empty icon="people" title={common.nothingFound} text={people.none} />}
      <ul class="rows">
        {found
          ?.filter(({ id }) => id !== me)
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
    </Page>
  )
}
