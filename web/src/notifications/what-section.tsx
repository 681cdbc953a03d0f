import { useState } from 'preact/hooks'
import { locale } from '../platform/i18n.js'
import { Section } from '../settings/section.js'
import { state } from '../store.js'
import { Button } from '../ui/button.js'
import { Chips } from '../ui/chips.js'
import { Checkbox, RadioGroup } from '../ui/choice.js'
import { TextField } from '../ui/field.js'
import { Form } from '../ui/form.js'
import { notificationWords } from '../words/notifications.js'
import { saveNotifications } from './actions.js'
import { playSound } from './sound.js'

const LEVELS = ['all', 'mentions', 'nothing'] as const
const DIGESTS = ['off', 'hourly', 'daily'] as const
const USUAL_NIGHT = { from: '22:00', to: '08:00' }

/** Choices take effect at once, on every device. */
export function WhatSection() {
  const say = notificationWords()
  const { level, sound, mail_digest } = state.notifications.value
  return (
    <Section title={say.what}>
      <RadioGroup
        label={say.level}
        value={level}
        options={LEVELS.map((value) => ({ value, label: say.levels[value], hint: say.levelHints[value] }))}
        onChoose={(value) => void saveNotifications({ level: value })}
      />
      <Keywords />
      <QuietHours />
      <Checkbox
        look="switch"
        label={say.sound}
        hint={say.soundHint}
        checked={sound}
        onChange={(value) => void saveNotifications({ sound: value })}
      />
      {sound && (
        <div class="settings-end">
          <Button icon="play" onClick={playSound}>
            {say.play}
          </Button>
        </div>
      )}
      <RadioGroup
        label={say.digest}
        value={mail_digest}
        options={DIGESTS.map((value) => ({
          value,
          label: say.digests[value],
          ...(value === mail_digest && value !== 'off' ? { hint: say.digestHint } : {}),
        }))}
        onChoose={(value) => void saveNotifications({ mail_digest: value, mail_language: locale() })}
      />
    </Section>
  )
}

function Keywords() {
  const say = notificationWords()
  const { keywords } = state.notifications.value
  const [word, setWord] = useState('')
  function add() {
    const added = word.trim()
    setWord('')
    if (added !== '' && !keywords.includes(added)) void saveNotifications({ keywords: [...keywords, added] })
  }
  return (
    <Form class="keywords" onSubmit={add}>
      <TextField label={say.keywords} hint={say.keywordsHint} value={word} maxLength={64} onText={setWord} />
      <Chips
        items={keywords.map((name, id) => ({ id, name, label: say.removeOf(name) }))}
        onRemove={(id) => void saveNotifications({ keywords: keywords.filter((_, at) => at !== id) })}
      />
      {word.trim() !== '' && (
        <div class="settings-end">
          <Button type="submit" icon="plus">
            {say.addKeyword}
          </Button>
        </div>
      )}
    </Form>
  )
}

function QuietHours() {
  const say = notificationWords()
  const { quiet_hours } = state.notifications.value
  const { user, workspace } = state.session.value ?? {}
  const zone = user?.time_zone || workspace?.time_zone || 'UTC'
  const set = (part: 'from' | 'to') => (time: string) => {
    if (quiet_hours && /^\d\d:\d\d$/.test(time))
      void saveNotifications({ quiet_hours: { ...quiet_hours, [part]: time } })
  }
  return (
    <>
      <Checkbox
        look="switch"
        label={say.quiet}
        hint={say.quietHint(zone)}
        checked={quiet_hours !== null}
        onChange={(on) => void saveNotifications({ quiet_hours: on ? USUAL_NIGHT : null })}
      />
      {quiet_hours && (
        <div class="settings-pair">
          <TextField label={say.from} type="time" value={quiet_hours.from} onText={set('from')} />
          <TextField label={say.to} type="time" value={quiet_hours.to} onText={set('to')} />
        </div>
      )}
    </>
  )
}
