import { state } from '../store.js'
import { ToolButton } from '../ui/button.js'
import { Menu, type MenuItem } from '../ui/menu.js'
import { notificationWords } from '../words/notifications.js'
import { setChat } from './actions.js'
import { settingsAt } from './state.js'

const LEVELS = ['all', 'mentions', 'nothing'] as const

/** What the person is told of in a thread that they follow. */
export function ThreadLevel({ chat_id }: { chat_id: number }) {
  const say = notificationWords()
  const mine = settingsAt(state.notifications.value, chat_id)
  const level = mine.level ?? 'all'
  const items = LEVELS.map(
    (value): MenuItem => ({
      label: say.levels[value],
      checked: value === level,
      onSelect: () => void setChat({ ...mine, level: value, muted_until: null }),
    }),
  )
  return (
    <Menu
      label={say.here}
      align="end"
      groups={[items]}
      trigger={(props) => (
        <ToolButton icon={level === 'nothing' ? 'mute' : 'gear'} label={say.here} {...props} />
      )}
    />
  )
}
