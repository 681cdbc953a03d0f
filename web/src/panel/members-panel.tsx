import type { ChatCard, PersonCard, RosterEntry } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { ListEnd } from '../frame/waiting.js'
import { PickPeople } from '../people/pick-people.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { apply } from '../store.js'
import { readChat } from '../sync.js'
import { Button } from '../ui/button.js'
import { SearchField } from '../ui/search-field.js'
import { MemberRow } from './member-row.js'

const FILTER_FROM = 10

async function readMembers(id: number, query: string, cursor: string | null, signal: AbortSignal) {
  const asked = { query, ...(cursor ? { cursor } : {}) }
  const { data, meta } = await call('listRoster', { params: { id }, query: asked, signal })
  apply({ type: 'people', people: data.map(({ person }) => person) })
  return { items: data, next: nextOf(meta) }
}

export function MembersPanel({ card }: { card: ChatCard }) {
  const { panels, common } = words()
  const [text, setText] = useState('')
  // Grows when something was changed here.
  const [version, setVersion] = useState(0)
  const again = () => setVersion((last) => last + 1)
  const pages = usePages(
    text,
    (query, cursor, signal) => readMembers(card.id, query, cursor, signal),
    ({ person }) => person.id,
    [card.id, version],
    { revision: card.members_count },
  )
  const { items } = pages
  return (
    <>
      {card.may.includes('add_members') && <AddMembers card={card} members={items ?? []} onAdded={again} />}
      {card.members_count >= FILTER_FROM && (
        <SearchField label={panels.findMember} value={text} onText={setText} />
      )}
      {items?.length === 0 && <p class="quiet">{common.nothingFound}</p>}
      <ul class="panel-list">
        {items?.map((member) => (
          <MemberRow key={member.person.id} card={card} member={member} onChanged={again} />
        ))}
      </ul>
      <ListEnd {...pages} />
    </>
  )
}

interface AddMembersProps {
  card: ChatCard
  members: readonly RosterEntry[]
  onAdded(): void
}

function AddMembers({ card, members, onAdded }: AddMembersProps) {
  const { panels } = words()
  const [chosen, setChosen] = useState<readonly PersonCard[]>([])
  const [busy, setBusy] = useState(false)
  const add = async () => {
    setBusy(true)
    const added = await attempt(async () => {
      await call('addChatMembers', {
        params: { id: card.id },
        body: { member_ids: chosen.map(({ id }) => id) },
      })
      await readChat(card.id)
    })
    setBusy(false)
    if (!added) return
    setChosen([])
    onAdded()
  }
  return (
    <div class="panel-part">
      <PickPeople
        label={panels.addMembers}
        chosen={chosen}
        without={new Set(members.map(({ person }) => person.id))}
        onChange={setChosen}
      />
      {chosen.length > 0 && (
        <div>
          <Button look="main" busy={busy} onClick={() => void add()}>
            {panels.add(chosen.length)}
          </Button>
        </div>
      )}
    </div>
  )
}
