import { signal } from '@preact/signals'
import { ListEnd } from '../frame/waiting.js'
import { readPeopleOf } from '../people/actions.js'
import { personAt } from '../people/names.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { Dialog } from '../ui/dialog.js'
import './panels.css'

/** The message whose readers are shown. */
export const readersOf = signal<number | null>(null)

export function ReadersHost() {
  const id = readersOf.value
  return id === null ? null : <Readers key={id} id={id} />
}

async function readReaders(id: number, cursor: string | null, signal: AbortSignal) {
  const query = { limit: 50, ...(cursor ? { cursor } : {}) }
  const { data, meta } = await call('listReadMemberIds', { params: { id }, query, signal })
  await readPeopleOf(data)
  return { items: data, next: nextOf(meta) }
}

function Readers({ id }: { id: number }) {
  const { media, common } = words()
  const pages = usePages(
    '',
    (_, cursor, signal) => readReaders(id, cursor, signal),
    (one) => one,
    [id],
  )
  const { items } = pages
  return (
    <Dialog
      title={media.readers}
      closeLabel={common.close}
      size="small"
      onClose={() => {
        readersOf.value = null
      }}
    >
      {items?.length === 0 && <p class="quiet">{media.noReaders}</p>}
      <ul class="readers">
        {items?.map((one) => (
          <li key={one}>
            <PersonAvatar id={one} size="small" withPresence />
            <span class="reader-name">{personAt(one).name}</span>
          </li>
        ))}
      </ul>
      <ListEnd {...pages} />
    </Dialog>
  )
}
