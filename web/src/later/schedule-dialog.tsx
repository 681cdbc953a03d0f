import type { DraftScheduleInput } from '@parley/contract'
import { useState } from 'preact/hooks'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { SelectField, TextField } from '../ui/field.js'
import { scheduleFault } from './actions.js'
import { NextSends } from './next-sends.js'
import { RepeatFields } from './repeat-fields.js'
import { atDate, formAt, presetsAt, type ScheduleForm, scheduleOf } from './schedule.js'
import './later.css'

interface ScheduleDialogProps {
  title: string
  action: string
  /** The schedule to change; without it tomorrow morning is offered. */
  initial?: ScheduleForm
  onSave(schedule: DraftScheduleInput): Promise<void>
  onClose(): void
}

/** When and how often something is sent, with the times that come of it. */
export function ScheduleDialog({ title, action, initial, onSave, onClose }: ScheduleDialogProps) {
  const [form, setForm] = useState(() => initial ?? formAt(presetsAt(new Date()).tomorrow))
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { later, common } = words()
  const put = (more: Partial<ScheduleForm>) => setForm((known) => ({ ...known, ...more }))
  const schedule = scheduleOf(form)

  async function save() {
    if (!schedule) return
    setBusy(true)
    setError(null)
    try {
      await onSave(schedule)
      onClose()
    } catch (failure) {
      setError(scheduleFault(failure))
      setBusy(false)
    }
  }

  const footer = (
    <>
      <Button onClick={onClose}>{common.cancel}</Button>
      <Button look="main" type="submit" form="schedule" busy={busy} disabled={!schedule}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog title={title} closeLabel={common.close} footer={footer} onClose={onClose}>
      <form
        id="schedule"
        class="schedule"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <div class="schedule-pair">
          <TextField
            label={later.date}
            type="date"
            value={form.date}
            onText={(date) => setForm((known) => atDate(known, date))}
          />
          <TextField label={later.time} type="time" value={form.time} onText={(time) => put({ time })} />
        </div>
        <SelectField
          label={later.repeat}
          value={form.interval}
          options={Object.entries(later.intervals).map(([value, label]) => ({ value, label }))}
          onChoose={(interval) => put({ interval: interval as ScheduleForm['interval'] })}
        />
        <RepeatFields form={form} onChange={put} />
        <NextSends schedule={schedule} />
        {error && (
          <p class="field-error" role="alert">
            {error}
          </p>
        )}
      </form>
    </Dialog>
  )
}
