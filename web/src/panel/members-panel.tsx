import type { ChatCard, PersonCard } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { PickPeople } from '../people/pick-people.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { apply } from '../store.js'
import { matches } from '../switcher/find.js'
import { readChat } from '../sync.js'
import { Button } from '../ui/button.js'
import { MemberRow } from './member-row.js'
import { type Member, nameOf, readRoster } from './roster.js'

const FILTER_FROM = 10

export function MembersPanel({ card }: { card: ChatCard }) {
  const { panels, common } = words()
  const [members, setMembers] = useState<readonly Member[] | null>(null)
  const [text, setText] = useState('')
  const load = async () => {
    const roster = await readRoster(card)
    setMembers(roster)
    const ids = roster.map(({ user }) => user.id).slice(0, 200)
    if (ids.length > 0) apply({ type: 'people', people: (await call('listPeople', { query: { ids } })).data })
  }
  useEffect(() => void attempt(load), [card.id, card.members_count])

  const shown = members?.filter(({ user }) => matches(text, `${nameOf(user)} ${user.nickname}`)) ?? []
  return (
    <>
      {card.may.includes('add_members') && (
        <AddMembers card={card} members={members ?? []} onAdded={() => void attempt(load)} />
      )}
      {(members?.length ?? 0) >= FILTER_FROM && (
        <input
          class="input"
          type="search"
          aria-label={panels.findMember}
          placeholder={panels.findMember}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      {members === null && (
        <p class="quiet" role="status">
          {common.loading}
        </p>
      )}
      {members !== null && shown.length === 0 && <p class="quiet">{common.nothingFound}</p>}
      <ul class="panel-list">
        {shown.map((member) => (
          <MemberRow key={member.user.id} card={card} member={member} onChanged={() => void attempt(load)} />
        ))}
      </ul>
    </>
  )
}

interface AddMembersProps {
  card: ChatCard
  members: readonly Member[]
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
        without={new Set(members.map(({ user }) => user.id))}
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
