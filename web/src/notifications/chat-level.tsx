import type { NotificationLevel } from '@parley/contract'
import { formatMoment } from '../platform/format.js'
import { state } from '../store.js'
import { SelectField } from '../ui/field.js'
import { notificationWords } from '../words/notifications.js'
import { setChat } from './actions.js'
import { type MuteFor, mutedUntil } from './mute-until.js'
import { settingsAt } from './state.js'

const LEVELS = ['all', 'mentions', 'nothing'] as const
const MUTES: readonly MuteFor[] = ['hour', 'day', 'week']

/** What the person is told of in one chat, and for how long nothing. */
export function ChatLevel({ chat_id }: { chat_id: number }) {
  const say = notificationWords()
  const general = state.notifications.value
  const mine = settingsAt(general, chat_id)
  const until =
    mine.muted_until !== null && Date.parse(mine.muted_until) > Date.now() ? mine.muted_until : null
  const mute = (choice: string) => {
    if (choice === 'kept') return
    const muted_until = choice === '' ? null : mutedUntil(choice as MuteFor, new Date()).toISOString()
    void setChat({ ...mine, muted_until })
  }
  return (
    <div class="panel-field">
      <SelectField
        label={say.here}
        value={mine.level ?? ''}
        options={[
          { value: '', label: say.usual(say.levels[general.level]) },
          ...LEVELS.map((value) => ({ value, label: say.levels[value] })),
        ]}
        onChoose={(value) => void setChat({ ...mine, level: (value || null) as NotificationLevel | null })}
      />
      <SelectField
        label={say.muteFor}
        value={until === null ? '' : 'kept'}
        options={[
          { value: '', label: say.mutes.none },
          ...(until === null ? [] : [{ value: 'kept', label: say.mutedUntil(formatMoment(until)) }]),
          ...MUTES.map((value) => ({ value, label: say.mutes[value] })),
        ]}
        onChoose={mute}
      />
    </div>
  )
}
