import { useEffect, useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { Composer } from '../composer/composer.js'
import { moveToChat } from '../drafts/actions.js'
import { NotFound } from '../frame/not-found.js'
import { PaneHead } from '../frame/pane-head.js'
import { Reading, ReadingFailed } from '../frame/waiting.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { useUntilAnswered } from '../platform/use-until-answered.js'
import { state } from '../store.js'
import { Empty } from '../ui/empty.js'
import { readPerson } from './actions.js'
import { PersonAbout } from './person-about.js'
import { personalChatId } from './personal.js'

/** Somebody by their address: their personal chat, or the place where its first message is written. */
export function PersonRoute() {
  const id = Number(useRoute().params.id)
  return <PersonScreen key={id} id={id} />
}

function PersonScreen({ id }: { id: number }) {
  const { people, chats, common } = words()
  const person = state.people.value.get(id)
  const [isNobody, setNobody] = useState(!Number.isInteger(id))
  const chatId = personalChatId(id)
  const mine = id === state.session.value?.user.id

  useEffect(() => {
    if (chatId === null) return
    moveToChat(id, chatId)
    navigate(`/chats/${chatId}`, 'replace')
  }, [chatId])
  const { isMissing, failure, again } = useUntilAnswered(
    () => (isNobody ? null : readPerson(id).then((found) => setNobody(!found))),
    [id],
  )

  if (!person && (isNobody || isMissing)) return <NotFound />
  if (!person)
    return (
      <main class="chat">
        <PaneHead back="/" title={common.loading} />
        {failure === null ? <Reading /> : <ReadingFailed text={failure} onRetry={again} />}
      </main>
    )
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
