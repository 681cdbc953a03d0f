import type { Reaction, ReactionGroup, TimelineMessage } from '@parley/contract'
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { MoreButton, Reading } from '../frame/waiting.js'
import { readPeopleOf } from '../people/actions.js'
import { personAt } from '../people/names.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { Dialog } from '../ui/dialog.js'
import { Tabs } from '../ui/tabs.js'
import './panels.css'

interface Asked {
  message: TimelineMessage
  /** Only those who reacted with this one. */
  group: ReactionGroup | null
}

/** The message whose reactions are shown. */
export const reactorsOf = signal<Asked | null>(null)

export function ReactorsHost() {
  const asked = reactorsOf.value
  return asked && <Reactors key={asked.message.id} {...asked} />
}

const keyOf = ({ code, name }: ReactionGroup) => `${code} ${name ?? ''}`

function Reactors({ message, group: first }: Asked) {
  const [shown, setShown] = useState(first ? keyOf(first) : '')
  const [read, setRead] = useState<readonly Reaction[] | null>(null)
  const [next, setNext] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { media, common } = words()

  async function more(cursor: string | null, isWanted = () => true) {
    setBusy(true)
    setError(null)
    try {
      const group = message.reactions.find((one) => keyOf(one) === shown)
      const emoji = group && { code: group.code, ...(group.name ? { name: group.name } : {}) }
      const query = { limit: 50, ...emoji, ...(cursor ? { cursor } : {}) }
      const { data, meta } = await call('listReactions', { params: { id: message.id }, query })
      await readPeopleOf(data.map(({ user_id }) => user_id))
      if (!isWanted()) return
      setRead((known) => [...(cursor ? (known ?? []) : []), ...data])
      setNext(meta.paginate.has_next ? meta.paginate.next_page : null)
    } catch (failure) {
      setError(refusalText(failure))
    }
    setBusy(false)
  }
  useEffect(() => {
    let wanted = true
    setRead(null)
    void more(null, () => wanted)
    return () => {
      wanted = false
    }
  }, [shown])
  const tabs = [
    { value: '', label: media.allReactions },
    ...message.reactions.map((group) => ({ value: keyOf(group), label: `${group.code} ${group.count}` })),
  ]

  return (
    <Dialog
      title={media.reactors}
      closeLabel={common.close}
      size="small"
      onClose={() => {
        reactorsOf.value = null
      }}
    >
      <Tabs label={media.reactors} value={shown} tabs={tabs} onChoose={setShown}>
        {error && <p class="field-error">{error}</p>}
        {!read && !error && <Reading />}
        {read?.length === 0 && <p class="quiet">{media.noReactors}</p>}
        <ul class="readers reactors">
          {read?.map((one) => (
            <ReactorRow key={`${one.user_id}${one.code}${one.name}`} reaction={one} />
          ))}
        </ul>
        {next && read && <MoreButton busy={busy} onMore={() => void more(next)} />}
      </Tabs>
    </Dialog>
  )
}

function ReactorRow({ reaction: { user_id, created_at, code } }: { reaction: Reaction }) {
  return (
    <li>
      <PersonAvatar id={user_id} size="small" withPresence />
      <span class="reader-name">{personAt(user_id).name}</span>
      <time class="quiet" dateTime={created_at}>
        {formatMoment(created_at)}
      </time>
      <span class="reader-emoji">{code}</span>
    </li>
  )
}
