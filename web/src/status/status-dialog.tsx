import { useState } from 'preact/hooks'
import { EmojiButton } from '../emoji/emoji-button.js'
import { attempt } from '../frame/attempt.js'
import { personAt } from '../people/names.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { apply, state } from '../store.js'
import { Button } from '../ui/button.js'
import { Checkbox } from '../ui/choice.js'
import { Dialog } from '../ui/dialog.js'
import { SelectField, TextField } from '../ui/field.js'
import { expiryOf, LENGTHS, type Length } from './expiry.js'
import './status-dialog.css'

const PRESETS = [
  { name: 'meeting', emoji: '📅', length: 'hour', away: false },
  { name: 'lunch', emoji: '🍽️', length: 'hour', away: true },
  { name: 'focus', emoji: '🎧', length: 'four_hours', away: false },
  { name: 'remote', emoji: '🏡', length: 'today', away: false },
  { name: 'ill', emoji: '🤒', length: 'today', away: true },
  { name: 'holiday', emoji: '🌴', length: 'never', away: true },
] as const
type Preset = (typeof PRESETS)[number]

async function readOwn(id: number) {
  const [profile, people] = await Promise.all([
    call('getProfile'),
    call('listPeople', { query: { ids: [id] } }),
  ])
  apply({ type: 'profile', user: profile.data })
  apply({ type: 'people', people: people.data })
}

function Presets({ onChoose }: { onChoose(preset: Preset): void }) {
  const { status: say } = words()
  return (
    <ul class="status-presets" aria-label={say.presets}>
      {PRESETS.map((preset) => (
        <li key={preset.name}>
          <button type="button" class="status-preset" onClick={() => onChoose(preset)}>
            <span aria-hidden="true">{preset.emoji}</span> {say.names[preset.name]}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The status that is being chosen, and how it is set. */
function useStatus(onSaved: () => void) {
  const { status: say } = words()
  const me = state.session.value?.user.id ?? 0
  const now = personAt(me).status ?? null
  const [emoji, setEmoji] = useState(now?.emoji ?? '💬')
  const [title, setTitle] = useState(now?.title ?? '')
  const [length, setLength] = useState<Length | 'kept'>(now?.expires_at ? 'kept' : 'never')
  const [away, setAway] = useState(now?.away ?? false)
  const [busy, setBusy] = useState(false)

  async function change(run: () => Promise<unknown>) {
    setBusy(true)
    const done = await attempt(async () => {
      await run()
      await readOwn(me)
    })
    setBusy(false)
    if (done) onSaved()
  }

  return {
    now,
    emoji,
    setEmoji,
    title,
    setTitle,
    length,
    setLength,
    away,
    setAway,
    busy,
    isNamed: title.trim() !== '',
    take(preset: Preset) {
      setEmoji(preset.emoji)
      setTitle(say.names[preset.name])
      setLength(preset.length)
      setAway(preset.away)
    },
    clear: () => change(() => call('deleteOwnStatus')),
    save: () =>
      change(async () => {
        // A status that is set keeps its end, so that one without an end starts again.
        if (now?.expires_at && length === 'never') await call('deleteOwnStatus')
        const expires_at = length === 'kept' ? now?.expires_at : expiryOf(length, new Date())
        const ends = expires_at ? { expires_at } : {}
        const status = { emoji, title: title.trim(), is_away: away, ...ends }
        await call('setOwnStatus', { body: { status } })
      }),
  }
}

export function StatusDialog({ onClose }: { onClose(): void }) {
  const { status: say, common } = words()
  const { now, busy, isNamed, ...status } = useStatus(onClose)
  const footer = (
    <>
      {now && (
        <Button busy={busy} onClick={() => void status.clear()}>
          {say.clear}
        </Button>
      )}
      <Button look="main" busy={busy} disabled={!isNamed} onClick={() => void status.save()}>
        {common.save}
      </Button>
    </>
  )
  return (
    <Dialog title={say.title} closeLabel={common.close} footer={footer} onClose={onClose}>
      <form
        class="status"
        onSubmit={(event) => {
          event.preventDefault()
          if (isNamed) void status.save()
        }}
      >
        <div class="status-line">
          <span class="status-emoji" aria-hidden="true">
            {status.emoji}
          </span>
          <EmojiButton label={say.chooseEmoji} class="tool" onChoose={status.setEmoji} />
          <TextField
            label={say.text}
            maxLength={50}
            autofocus
            value={status.title}
            onText={status.setTitle}
          />
        </div>
        <Presets onChoose={status.take} />
        <SelectField
          label={say.length}
          value={status.length}
          options={[
            ...(now?.expires_at ? [{ value: 'kept', label: say.until(formatMoment(now.expires_at)) }] : []),
            ...LENGTHS.map((value) => ({ value, label: say.lengths[value] })),
          ]}
          onChoose={(value) => status.setLength(value as Length | 'kept')}
        />
        <Checkbox
          look="switch"
          label={say.away}
          hint={say.awayHint}
          checked={status.away}
          onChange={status.setAway}
        />
      </form>
    </Dialog>
  )
}
