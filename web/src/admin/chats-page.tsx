import type { Chat } from '@parley/contract'
import { useState } from 'preact/hooks'
import { readPeopleOf } from '../people/actions.js'
import { personAt } from '../people/names.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { state } from '../store.js'
import { SelectField } from '../ui/field.js'
import { SearchField } from '../ui/search-field.js'
import { adminWords } from '../words/admin.js'
import { ChatActions, isLeft } from './chat-actions.js'
import { ListView } from './list-view.js'

/** Nobody hears of chats that they are not in. */
const AGAIN_AFTER_MS = 30_000

type Activity = 'active' | 'archived'

/** Every conversation and channel, also those that nobody manages any more. */
export function ChatsPage() {
  const admin = adminWords()
  const [activity, setActivity] = useState<Activity | ''>('')
  const [text, setText] = useState('')
  async function readChats(name: string, cursor: string | null, signal: AbortSignal) {
    const query = {
      limit: 50,
      ...(name ? { query: name } : {}),
      ...(activity ? { activity } : {}),
      ...(cursor ? { cursor } : {}),
    }
    const { data, meta } = await call('listCompanyChats', { query, signal })
    await readPeopleOf(data.map(({ owner_id }) => owner_id))
    return { items: data, next: nextOf(meta) }
  }
  const [changes, setChanges] = useState(0)
  const changed = () => setChanges((count) => count + 1)
  const pages = usePages(text, readChats, ({ id }) => id, [activity, changes], {
    revision: state.chatRevision.value,
    pause_ms: () => AGAIN_AFTER_MS,
  })
  return (
    <>
      <div class="admin-tools">
        <SearchField label={admin.findChat} value={text} onText={setText} />
        <SelectField
          label={admin.activity}
          value={activity}
          options={[
            { value: '', label: admin.activities.all },
            { value: 'active', label: admin.activities.active },
            { value: 'archived', label: admin.activities.archived },
          ]}
          onChoose={(value) => setActivity(value as Activity | '')}
        />
      </div>
      <ListView
        caption={admin.pages.chats}
        pages={pages}
        keyOf={({ id }) => id}
        empty={text ? words().common.nothingFound : admin.noChats}
        columns={[
          { title: admin.chat, draw: ({ id, name }) => <a href={`/chats/${id}`}>{name}</a> },
          { title: admin.holder, draw: creatorOf },
          { title: admin.members, end: true, draw: ({ member_ids }) => member_ids.length },
          {
            title: admin.lastMessage,
            end: true,
            draw: ({ last_message_at }) => formatMoment(last_message_at),
          },
          {
            title: admin.actions,
            end: true,
            draw: (chat) => isLeft(chat) && <ChatActions chat={chat} onChanged={changed} />,
          },
        ]}
      />
    </>
  )
}

function creatorOf(chat: Chat): string {
  const { name } = personAt(chat.owner_id)
  return isLeft(chat) ? adminWords().left(name) : name
}
