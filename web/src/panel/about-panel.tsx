import type { ChatCard } from '@parley/contract'
import { leaveChat, markRead, toggleFavourite } from '../chats/actions.js'
import { moveChat } from '../chats/drag.js'
import { titleOf } from '../chats/entry.js'
import { sectionOf } from '../chats/sections.js'
import { attempt } from '../frame/attempt.js'
import { markUnread } from '../messages/reading.js'
import { mutedChatIds, toggleMute } from '../notifications/actions.js'
import { ChatLevel } from '../notifications/chat-level.js'
import { PersonAbout } from '../people/person-about.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { confirm } from '../ui/confirm.js'
import { SelectField } from '../ui/field.js'
import { Icon } from '../ui/icon.js'
import { Action } from './action.js'
import { ChatFacts } from './chat-facts.js'
import { EditChat } from './edit-chat.js'

export function AboutPanel({ card }: { card: ChatCard }) {
  const person = card.personal_user_id === null ? undefined : state.people.value.get(card.personal_user_id)
  if (person)
    return (
      <>
        <PersonAbout person={person} />
        <OwnActions card={card} />
      </>
    )
  return (
    <>
      <EditChat card={card} />
      <ChatFacts card={card} />
      {card.my_role !== null && <OwnActions card={card} />}
      <SharedActions card={card} />
    </>
  )
}

/** What only the caller sees: favourites, mute, read or not. */
function OwnActions({ card }: { card: ChatCard }) {
  const { panels } = words()
  const { favourite_chat_ids } = state.preferences.value
  const favourite = favourite_chat_ids.includes(card.id)
  const muted = mutedChatIds.value.includes(card.id)
  const unread = card.unread_count > 0
  return (
    <div class="panel-actions">
      <SectionField card={card} />
      <ChatLevel chat_id={card.id} />
      <Action
        icon="star"
        label={favourite ? panels.unfavourite : panels.favourite}
        onRun={() => void toggleFavourite(card.id)}
      />
      <Action
        icon={muted ? 'bell' : 'mute'}
        label={muted ? panels.unmute : panels.mute}
        onRun={() => void toggleMute(card.id)}
      />
      <a class="panel-action" href={card.meet_room_url} target="_blank" rel="noreferrer">
        <Icon name="external" />
        {panels.meet}
      </a>
      <Action
        icon="unread"
        label={unread ? panels.markRead : panels.markUnread}
        allowed={unread || card.last_message_id !== null}
        onRun={() => void attempt(() => (unread ? markRead : markUnread)(card.id))}
      />
    </div>
  )
}

/** The section of the person's list that the chat is in. */
function SectionField({ card }: { card: ChatCard }) {
  const { sections: say } = words()
  const { sections } = state.preferences.value
  if (sections.length === 0) return null
  return (
    <div class="panel-field">
      <SelectField
        label={say.section}
        value={sectionOf(sections, card.id) ?? ''}
        options={[
          { value: '', label: say.none },
          ...sections.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChoose={(id) => void moveChat(card.id, id === '' ? 'usual' : { section_id: id })}
      />
    </div>
  )
}

/** What everybody in the chat feels. */
function SharedActions({ card }: { card: ChatCard }) {
  const { panels, common } = words()
  const params = { id: card.id }
  async function ask(text: string, action: string, run: () => Promise<unknown>) {
    const title = `${action}: ${titleOf(card)}`
    if (await confirm({ title, text, action, cancel: common.cancel, danger: true })) await attempt(run)
  }
  return (
    <div class="panel-actions">
      {card.archived ? (
        <Action
          icon="archive"
          label={panels.unarchive}
          allowed={card.may.includes('unarchive')}
          onRun={() => void attempt(() => call('unarchiveChat', { params }))}
        />
      ) : (
        <Action
          icon="archive"
          label={panels.archive}
          allowed={card.may.includes('archive')}
          onRun={() => void ask(panels.archiveText, panels.archive, () => call('archiveChat', { params }))}
        />
      )}
      {card.my_role !== null && (
        <Action
          icon="door"
          label={panels.leave}
          danger
          allowed={card.may.includes('leave')}
          onRun={() =>
            void ask(card.public ? panels.leaveOpenText : panels.leaveText, panels.leave, () =>
              leaveChat(card.id),
            )
          }
        />
      )}
    </div>
  )
}
