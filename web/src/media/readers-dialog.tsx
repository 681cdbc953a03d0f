import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { Reading } from '../frame/waiting.js'
import { readPeopleOf } from '../people/actions.js'
import { personAt } from '../people/names.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { Dialog } from '../ui/dialog.js'
import './panels.css'

/** The message whose readers are shown. */
export const readersOf = signal<number | null>(null)

export function ReadersHost() {
  const id = readersOf.value
  return id === null ? null : <Readers key={id} id={id} />
}

function Readers({ id }: { id: number }) {
  const [ids, setIds] = useState<readonly number[] | null>(null)
  const [error, setError] = useState<string | null>(null)
  const { media, common } = words()
  useEffect(() => {
    call('listReadMemberIds', { params: { id }, query: { limit: 300 } })
      .then(async ({ data }) => {
        await readPeopleOf(data)
        setIds(data)
      })
      .catch((failure) => setError(refusalText(failure)))
  }, [id])
  return (
    <Dialog
      title={media.readers}
      closeLabel={common.close}
      size="small"
      onClose={() => {
        readersOf.value = null
      }}
    >
      {error && <p class="field-error">{error}</p>}
      {!ids && !error && <Reading />}
      {ids?.length === 0 && <p class="quiet">{media.noReaders}</p>}
      <ul class="readers">
        {ids?.map((one) => (
          <li key={one}>
            <PersonAvatar id={one} size="small" withPresence />
            <span class="reader-name">{personAt(one).name}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
