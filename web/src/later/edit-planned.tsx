import type { Draft } from '@parley/contract'
import { useState } from 'preact/hooks'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { TextAreaField } from '../ui/field.js'
import { scheduleFault } from './actions.js'
import { formOf } from './schedule.js'
import { ScheduleDialog } from './schedule-dialog.js'

/** The text of a scheduled message, and from there its time. */
export function EditPlanned({ draft, onClose }: { draft: Draft; onClose(): void }) {
  const [text, setText] = useState(draft.content)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | undefined>()
  const [timing, setTiming] = useState(false)
  const { later, common } = words()
  const params = { id: draft.id }

  async function save() {
    setBusy(true)
    try {
      await call('updateDraft', { params, body: { draft: { content: text } } })
      onClose()
    } catch (failure) {
      setError(scheduleFault(failure))
      setBusy(false)
    }
  }

  if (timing && draft.schedule)
    return (
      <ScheduleDialog
        title={later.changeTime}
        action={common.save}
        initial={formOf(draft.schedule)}
        onSave={async (schedule) => {
          await call('updateDraft', { params, body: { draft: { content: text, schedule } } })
        }}
        onClose={onClose}
      />
    )
  const footer = (
    <>
      <Button icon="clock" onClick={() => setTiming(true)}>
        {later.changeTime}
      </Button>
      <Button look="main" busy={busy} onClick={() => void save()}>
        {common.save}
      </Button>
    </>
  )
  return (
    <Dialog title={later.editTitle} closeLabel={common.close} footer={footer} onClose={onClose}>
      <TextAreaField label={later.text} value={text} rows={5} error={error} onText={setText} />
    </Dialog>
  )
}
