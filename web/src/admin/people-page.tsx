import type { User } from '@parley/contract'
import { useState } from 'preact/hooks'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { state } from '../store.js'
import { Avatar } from '../ui/avatar.js'
import { Button } from '../ui/button.js'
import { SearchField } from '../ui/search-field.js'
import { adminWords } from '../words/admin.js'
import { InviteDialog } from './invite-dialog.js'
import { ListView } from './list-view.js'
import { nameOf, PersonMenu } from './person-menu.js'

async function readPeople(query: string, cursor: string | null, signal: AbortSignal) {
  const asked = { limit: 50, ...(query ? { query } : {}), ...(cursor ? { cursor } : {}) }
  const { data, meta } = await call('listUsers', { query: asked, signal })
  return { items: data.filter(({ bot }) => !bot), next: nextOf(meta as Parameters<typeof nextOf>[0]) }
}

/** Everybody in the workspace, and what can be done with them. */
export function PeoplePage() {
  const admin = adminWords()
  const [text, setText] = useState('')
  const [changes, setChanges] = useState(0)
  const [inviting, setInviting] = useState(false)
  const pages = usePages(text, readPeople, ({ id }) => id, [changes], {
    revision: state.peopleRevision.value,
  })
  const changed = () => setChanges((count) => count + 1)
  return (
    <>
      <div class="admin-tools">
        <SearchField label={admin.find} value={text} onText={setText} />
        <Button look="main" icon="plus" onClick={() => setInviting(true)}>
          {admin.invite}
        </Button>
      </div>
      <ListView
        caption={admin.pages.people}
        pages={pages}
        keyOf={({ id }) => id}
        empty={admin.nobody}
        columns={[
          { title: admin.person, draw: (user) => <PersonCell user={user} /> },
          { title: admin.role, draw: (user) => admin.roles[user.role] },
          { title: admin.state, draw: stateOf },
          {
            title: admin.lastSeen,
            draw: ({ last_activity_at }) => (last_activity_at ? formatMoment(last_activity_at) : admin.never),
          },
          { title: admin.actions, end: true, draw: (user) => <PersonMenu user={user} onChanged={changed} /> },
        ]}
      />
      {inviting && (
        <InviteDialog
          onClose={() => {
            setInviting(false)
            changed()
          }}
        />
      )}
    </>
  )
}

function stateOf({ suspended, invite_status }: User): string {
  const admin = adminWords()
  if (suspended) return admin.suspended
  return invite_status === 'sent' ? admin.waiting : ''
}

function PersonCell({ user }: { user: User }) {
  const { common } = words()
  return (
    <span class="admin-person">
      <Avatar id={user.id} name={nameOf(user)} image_url={user.image_url} size="small" />
      <span class="row-main">
        <span class="row-name">{nameOf(user) || common.you}</span>
        <span class="row-about">{user.email ?? `@${user.nickname}`}</span>
      </span>
    </span>
  )
}
