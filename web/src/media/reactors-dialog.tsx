import type { Reaction } from '@parley/contract'
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
import './panels.css'

/** The message whose reactions are shown, and the emoji whose people come first. */
export const reactorsOf = signal<{ message_id: number; code: string | null } | null>(null)

export function ReactorsHost() {
  const asked = reactorsOf.value
  return asked && <Reactors key={asked.message_id} {...asked} />
}

/** Those with the emoji that was asked for come first; the order of the rest stays. */
export function sortReactors(reactions: readonly Reaction[], code: string | null): Reaction[] {
  return [...reactions.filter((one) => one.code === code), ...reactions.filter((one) => one.code !== code)]
}

function Reactors({ message_id, code }: { message_id: number; code: string | null }) {
  const [read, setRead] = useState<readonly Reaction[] | null>(null)
  const [next, setNext] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { media, common } = words()

  async function more(cursor: string | null) {
    setBusy(true)
    setError(null)
    try {
      const query = { limit: 50, ...(cursor ? { cursor } : {}) }
      const { data, meta } = await call('listReactions', { params: { id: message_id }, query })
      await readPeopleOf(data.map(({ user_id }) => user_id))
      setRead((known) => [...(cursor ? (known ?? []) : []), ...data])
      setNext(meta.paginate.has_next ? meta.paginate.next_page : null)
    } catch (failure) {
      setError(refusalText(failure))
    }
    setBusy(false)
  }
  useEffect(() => void more(null), [message_id])

  return (
    <Dialog
      title={media.reactors}
      closeLabel={common.close}
      size="small"
      onClose={() => {
        reactorsOf.value = null
      }}
    >
      {error && <p class="field-error">{error}</p>}
      {!read && !error && <Reading />}
      {read?.length === 0 && <p class="quiet">{media.noReactors}</p>}
      <ul class="readers">
        {sortReactors(read ?? [], code).map((one) => (
          <li key={`${one.user_id}${one.code}${one.name}`}>
            <PersonAvatar id={one.user_id} size="small" withPresence />
            <span class="reader-name">{personAt(one.user_id).name}</span>
            <time class="quiet" dateTime={one.created_at}>
              {formatMoment(one.created_at)}
            </time>
            <span class="reader-emoji">{one.code}</span>
          </li>
        ))}
      </ul>
      {next && <MoreButton busy={busy} onMore={() => void more(next)} />}
    </Dialog>
  )
}
