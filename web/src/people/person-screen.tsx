import { useEffect, useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { Composer } from '../composer/composer.js'
import { NotFound } from '../frame/not-found.js'
import { PaneHead } from '../frame/pane-head.js'
import { pauseAfter } from '../platform/again.js'
import { call, mayPass } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { apply, state } from '../store.js'
import { Empty } from '../ui/empty.js'
import { PersonAbout } from './person-about.js'
import { personalPath } from './personal.js'

/** Somebody by their address: their personal chat, or the place where its first message is written. */
export function PersonRoute() {
  const id = Number(useRoute().params.id)
  return <PersonScreen key={id} id={id} />
}

function PersonScreen({ id }: { id: number }) {
  const { people, chats, common } = words()
  const person = state.people.value.get(id)
  const [missing, setMissing] = useState(false)
  const path = personalPath(id)
  const mine = id === state.session.value?.user.id

  useEffect(() => {
    if (path !== `/people/${id}`) navigate(path, 'replace')
  }, [path])
  useEffect(() => {
    if (!Number.isInteger(id)) return setMissing(true)
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = (attempts: number) =>
      call('listPeople', { query: { ids: [id] } }).then(
        ({ data }) => {
          apply({ type: 'people', people: data })
          setMissing(data.length === 0)
        },
        (error) => {
          if (mayPass(error)) timer = setTimeout(() => void ask(attempts + 1), pauseAfter(error, attempts))
          else setMissing(true)
        },
      )
    void ask(0)
    return () => clearTimeout(timer)
  }, [id])

  if (!person) return missing ? <NotFound /> : <PaneHead back="/" title={common.loading} />
  const gone = person.deleted || person.suspended
  return (
    <main class="chat" aria-label={person.name}>
      <PaneHead back="/" title={person.name} about={<span>@{person.nickname}</span>} />
      <div class="person-page scroll">
        <PersonAbout person={person} />
        {mine ? (
          <Empty icon="you" title={people.itIsYou} text={people.itIsYouText}>
            <a class="button button-plain" href="/settings/profile">
              {chats.settings}
            </a>
          </Empty>
        ) : (
          <p class="quiet">{gone ? people.gone : people.begin}</p>
        )}
      </div>
      {!mine && !gone && (
        <Composer
          place={{ entity_type: 'user', entity_id: id }}
          chat_id={null}
          label={chats.writeTo(person.name)}
        />
      )}
    </main>
  )
}
