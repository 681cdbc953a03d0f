import type { Retention, RetentionDays } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { NotRead } from '../frame/waiting.js'
import { readPeopleOf } from '../people/actions.js'
import { personAt } from '../people/names.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { useUntilAnswered } from '../platform/use-until-answered.js'
import { Button } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { TextField } from '../ui/field.js'
import { Table } from '../ui/table.js'
import { toast } from '../ui/toast.js'
import { adminWords } from '../words/admin.js'

const KINDS = ['conversation', 'channel', 'personal', 'thread'] as const
type Kind = (typeof KINDS)[number]

/** Null for ever, undefined where it is no number of days. */
function daysIn(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const days = Number(text)
  return Number.isInteger(days) && days >= 1 && days <= 36_500 ? days : undefined
}

/** How long messages are kept. What a change removes is counted before it is made. */
export function RetentionPage() {
  const admin = adminWords()
  const { common } = words()
  const [retention, setRetention] = useState<Retention | null>(null)
  const [texts, setTexts] = useState<Partial<Record<Kind, string>>>({})
  const [busy, setBusy] = useState(false)
  async function show({ data }: { data: Retention }) {
    await readPeopleOf(data.changes.map(({ user_id }) => user_id))
    setRetention(data)
    setTexts({})
  }
  const waiting = useUntilAnswered(() => call('getRetention').then(show), [])
  if (!retention) return <NotRead {...waiting} />
  const textOf = (kind: Kind) => texts[kind] ?? String(retention.days[kind] ?? '')
  const wrong = (kind: Kind) => daysIn(textOf(kind)) === undefined

  async function save() {
    const entries = KINDS.map((kind) => [kind, daysIn(textOf(kind)) ?? null])
    const days = Object.fromEntries(entries) as RetentionDays
    setBusy(true)
    await attempt(async () => {
      const { data } = await call('previewRetention', { body: { days } })
      const count = KINDS.reduce((sum, kind) => sum + data.messages[kind], 0)
      const title = admin.retentionTitle(count)
      const question = { title, text: admin.retentionConfirm, action: admin.removeOld, cancel: common.cancel }
      if (count > 0 && !(await confirm({ ...question, danger: true }))) return
      await show(await call('updateRetention', { body: { days } }))
      toast(admin.saved)
    })
    setBusy(false)
  }
  return (
    <>
      <div class="admin-form">
        <p>{admin.retentionText}</p>
        {KINDS.map((kind) => (
          <TextField
            key={kind}
            label={admin.retentionKinds[kind]}
            placeholder={admin.forEver}
            maxLength={5}
            value={textOf(kind)}
            error={wrong(kind) ? admin.wrongDays : undefined}
            onText={(text) => setTexts({ ...texts, [kind]: text })}
          />
        ))}
        <div class="settings-end">
          <Button look="main" busy={busy} disabled={KINDS.some(wrong)} onClick={() => void save()}>
            {common.save}
          </Button>
        </div>
      </div>
      <Table
        caption={admin.changes}
        rows={retention.changes}
        keyOf={({ created_at }) => created_at}
        empty={admin.noChanges}
        columns={[
          { title: admin.when, draw: ({ created_at }) => formatMoment(created_at) },
          { title: admin.who, draw: ({ user_id }) => personAt(user_id).name },
          ...KINDS.map((kind) => ({
            title: admin.retentionKinds[kind],
            end: true,
            draw: ({ days }: Retention['changes'][number]) => days[kind] ?? admin.forEver,
          })),
        ]}
      />
    </>
  )
}
