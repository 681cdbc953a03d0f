import type { TokenLimits } from '@parley/contract'
import { useState } from 'preact/hooks'
import { Checkbox } from '../ui/choice.js'
import { SelectField, TextField } from '../ui/field.js'
import { botWords } from '../words/bots.js'
import { ChatIdsField } from './chat-ids-field.js'

const KINDS = ['conversation', 'channel', 'personal'] as const

interface LimitFieldsProps {
  value: TokenLimits
  onChange(value: TokenLimits): void
}

/** Leaves out what is not limited. */
function limited(value: TokenLimits, change: { [K in keyof TokenLimits]?: TokenLimits[K] | undefined }) {
  const kept = Object.entries({ ...value, ...change }).filter(([, limit]) => limit !== undefined)
  return Object.fromEntries(kept) as TokenLimits
}

/** What a token may not do although its rights allow it. */
export function LimitFields({ value, onChange }: LimitFieldsProps) {
  const bots = botWords()
  const set = (change: Parameters<typeof limited>[1]) => onChange(limited(value, change))
  return (
    <details class="limits">
      <summary>{bots.limits}</summary>
      <div class="stack">
        <p class="quiet">{bots.limitsText}</p>
        <Checkbox
          label={bots.readOnly}
          hint={bots.readOnlyHint}
          checked={value.read_only ?? false}
          onChange={(on) => set({ read_only: on || undefined })}
        />
        <Checkbox
          label={bots.dryRunOnly}
          hint={bots.dryRunOnlyHint}
          checked={value.dry_run_only ?? false}
          onChange={(on) => set({ dry_run_only: on || undefined })}
        />
        <Where value={value} onSet={set} />
        <SelectField
          label={bots.approval}
          value={value.approval ?? 'none'}
          options={(Object.keys(bots.approvals) as (keyof typeof bots.approvals)[]).map((one) => ({
            value: one,
            label: bots.approvals[one],
          }))}
          onChoose={(one) => set({ approval: one as NonNullable<TokenLimits['approval']> })}
        />
        <HowMuch value={value} onSet={set} />
      </div>
    </details>
  )
}

interface PartProps {
  value: TokenLimits
  onSet(change: Parameters<typeof limited>[1]): void
}

function Where({ value, onSet }: PartProps) {
  const bots = botWords()
  const chosen = value.chat_kinds ?? []
  return (
    <>
      <fieldset class="radios">
        <legend class="field-label">{bots.onlyKinds}</legend>
        {KINDS.map((kind) => (
          <Checkbox
            key={kind}
            label={bots.kinds[kind]}
            checked={chosen.includes(kind)}
            onChange={(on) => {
              const next = KINDS.filter((one) => (one === kind ? on : chosen.includes(one)))
              onSet({ chat_kinds: next.length > 0 ? next : undefined })
            }}
          />
        ))}
      </fieldset>
      <ChatIdsField
        value={value.chat_ids ?? []}
        onChange={(ids) => onSet({ chat_ids: ids.length > 0 ? ids : undefined })}
      />
    </>
  )
}

function HowMuch({ value, onSet }: PartProps) {
  const bots = botWords()
  const [count, setCount] = useState(String(value.writes_per_day ?? ''))
  const wrong = !/^\d{0,6}$/.test(count.trim())
  return (
    <>
      <TextField
        label={bots.writesPerDay}
        value={count}
        maxLength={7}
        error={wrong ? bots.wrongNumber : undefined}
        onText={(text) => {
          setCount(text)
          if (/^\d{0,6}$/.test(text.trim()))
            onSet({ writes_per_day: text.trim() === '' ? undefined : Number(text) })
        }}
      />
      <TextField
        label={bots.expiresAt}
        type="datetime-local"
        value={localOf(value.expires_at)}
        onText={(text) => onSet({ expires_at: text === '' ? undefined : new Date(text).toISOString() })}
      />
    </>
  )
}

/** As the field of the browser wants it, in the person's own zone. */
function localOf(at: string | undefined): string {
  if (!at) return ''
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
