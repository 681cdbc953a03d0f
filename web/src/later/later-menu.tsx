import type { DraftScheduleInput } from '@parley/contract'
import { useRef, useState } from 'preact/hooks'
import { ErrorBoundary, lazy } from 'preact-iso'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { ToolButton } from '../ui/button.js'
import { Menu, type MenuItem } from '../ui/menu.js'
import { toast } from '../ui/toast.js'
import { scheduleFault } from './actions.js'
import { formAt, presetsAt, scheduleOf } from './schedule.js'

const ScheduleDialog = lazy(() => import('./schedule-dialog.js').then((all) => all.ScheduleDialog))

interface LaterMenuProps {
  disabled: boolean
  onPlan(schedule: DraftScheduleInput): Promise<void>
}

/** Sends what was written at another time: at one that is often meant, or at a chosen one. */
export function LaterMenu({ disabled, onPlan }: LaterMenuProps) {
  const [choosing, setChoosing] = useState(false)
  const busy = useRef(false)
  const { later } = words()
  /** Once for each text, which stays in its field until the server has answered. */
  async function plan(schedule: DraftScheduleInput) {
    if (busy.current) return
    busy.current = true
    await onPlan(schedule).catch((error) => toast(scheduleFault(error), { look: 'bad' }))
    busy.current = false
  }
  const presets = presetsAt(new Date())
  const preset = (name: keyof typeof presets): MenuItem => ({
    label: later.presets[name],
    hint: formatMoment(presets[name]),
    onSelect() {
      const schedule = scheduleOf(formAt(presets[name]))
      if (schedule) void plan(schedule)
    },
  })
  const groups: MenuItem[][] = [
    [preset('hour'), preset('tomorrow'), preset('monday')],
    [{ label: later.choose, icon: 'calendar', onSelect: () => setChoosing(true) }],
  ]
  return (
    <>
      <Menu
        label={later.send}
        side="above"
        align="end"
        groups={groups}
        trigger={(props) => <ToolButton icon="later" label={later.send} disabled={disabled} {...props} />}
      />
      <ErrorBoundary>
        {choosing && (
          <ScheduleDialog
            title={later.send}
            action={later.plan}
            onSave={onPlan}
            onClose={() => setChoosing(false)}
          />
        )}
      </ErrorBoundary>
    </>
  )
}
