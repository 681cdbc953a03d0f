import { attempt } from '../frame/attempt.js'
import { helpOpen } from '../frame/help-sheet.js'
import { personAt } from '../people/names.js'
import { PersonAvatar } from '../people/person-avatar.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { statusOpen } from '../status/status-host.js'
import { state } from '../store.js'
import { ToolButton } from '../ui/button.js'
import { Menu } from '../ui/menu.js'
import { isGuest } from './guest.js'
import { leave } from './leaving.js'
import './self.css'

/** The person at the foot of the list, with their status. */
export function Self() {
  const session = state.session.value
  if (!session) return null
  const { user } = session
  const runs = session.role === 'owner' || session.role === 'admin'
  const { account, chats, keys, status: say } = words()
  const { status } = personAt(user.id)
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ') || user.nickname
  return (
    <div class="self">
      <PersonAvatar id={user.id} withPresence />
      <span class="self-name">
        {name}
        {status && (
          <span class="quiet">
            {status.emoji} {status.title}
          </span>
        )}
      </span>
      <Menu
        label={account.menu}
        side="above"
        align="end"
        groups={[
          [
            {
              label: say.set,
              icon: 'smile',
              onSelect: () => {
                statusOpen.value = true
              },
            },
            { label: chats.settings, icon: 'gear', onSelect: () => navigate('/settings/profile') },
            ...(!isGuest()
              ? [{ label: chats.bots, icon: 'bot' as const, onSelect: () => navigate('/bots') }]
              : []),
            ...(runs
              ? [
                  {
                    label: chats.administration,
                    icon: 'people' as const,
                    onSelect: () => navigate('/admin/people'),
                  },
                ]
              : []),
            {
              label: keys.help,
              icon: 'help',
              onSelect: () => {
                helpOpen.value = true
              },
            },
          ],
          [{ label: account.signOut, icon: 'door', onSelect: () => void attempt(leave) }],
        ]}
        trigger={(props) => <ToolButton icon="gear" label={account.menu} {...props} />}
      />
    </div>
  )
}
