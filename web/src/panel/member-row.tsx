import type { ChatCard, RosterEntry } from '@parley/contract'
import { attempt } from '../frame/attempt.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { showPerson } from '../people/person-card.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { readChat } from '../sync.js'
import { ToolButton } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { Menu, type MenuItem } from '../ui/menu.js'

interface MemberRowProps {
  card: ChatCard
  member: RosterEntry
  onChanged(): void
}

export function MemberRow({ card, member: { person, role }, onChanged }: MemberRowProps) {
  const { panels, common, messages } = words()
  const { name } = person
  const mine = person.id === state.session.value?.user.id
  const about = [`@${person.nickname}`, person.title].filter(Boolean).join(' · ')
  return (
    <li class="row">
      <PersonAvatar id={person.id} withPresence />
      <button
        type="button"
        class="row-main"
        onClick={({ currentTarget }) => showPerson(person.id, currentTarget)}
      >
        <span class="row-name">
          {name}
          {mine && <span class="quiet"> ({common.you})</span>}
        </span>
        <span class="row-about">{about}</span>
      </button>
      <span class="row-tag">{role === 'member' && person.bot ? messages.bot : panels.roles[role]}</span>
      {!mine && role !== 'owner' && (
        <Menu
          label={panels.changeMember(name)}
          align="end"
          groups={groupsOf({ card, member: { person, role }, onChanged })}
          trigger={(props) => <ToolButton icon="more" label={panels.changeMember(name)} {...props} />}
        />
      )}
    </li>
  )
}

function groupsOf({ card, member: { person, role }, onChanged }: MemberRowProps): MenuItem[][] {
  const { panels, common } = words()
  const params = { id: card.id, user_id: person.id }
  const refusal = (act: ChatCard['may'][number]) => (card.may.includes(act) ? undefined : common.notAllowed)
  const roles =
    card.kind === 'channel' ? (['admin', 'editor', 'member'] as const) : (['admin', 'member'] as const)
  const setRole = async (next: (typeof roles)[number]) => {
    if (await attempt(() => call('setChatMemberRole', { params, body: { role: next } }))) onChanged()
  }
  const remove = async () => {
    const title = panels.removeTitle(person.name)
    const yes = await confirm({
      title,
      text: panels.removeText,
      action: panels.remove,
      cancel: common.cancel,
      danger: true,
    })
    if (!yes) return
    await attempt(async () => {
      await call('removeChatMember', { params })
      await readChat(card.id)
    })
    onChanged()
  }
  return [
    roles.map((one) => ({
      label: panels.roles[one],
      checked: one === role,
      refusal: refusal('set_roles'),
      onSelect: () => {
        if (one !== role) void setRole(one)
      },
    })),
    [
      {
        label: panels.remove,
        icon: 'trash',
        danger: true,
        refusal: refusal('remove_members'),
        onSelect: () => void remove(),
      },
    ],
  ]
}
