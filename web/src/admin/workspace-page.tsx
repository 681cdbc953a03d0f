import type { WorkspaceSettings } from '@parley/contract'
import { useState } from 'preact/hooks'
import { NotRead } from '../frame/waiting.js'
import { ApiFailure, call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { useRead } from '../platform/use-read.js'
import { Button } from '../ui/button.js'
import { Checkbox } from '../ui/choice.js'
import { confirm } from '../ui/confirm.js'
import { SelectField, TextAreaField, TextField } from '../ui/field.js'
import { toast } from '../ui/toast.js'
import { adminWords } from '../words/admin.js'

type Faults = Partial<Record<keyof WorkspaceSettings, string>>

/** Lines without a network are none. */
function cleaned({ perimeter, ...rest }: Partial<WorkspaceSettings>): Partial<WorkspaceSettings> {
  const lines = perimeter?.map((line) => line.trim()).filter(Boolean)
  return { ...rest, ...(lines ? { perimeter: lines } : {}) }
}

function faultsOf(error: unknown): Faults {
  const admin = adminWords()
  const wrong = error instanceof ApiFailure ? error.faults.map(({ key }) => key) : []
  const texts: Faults = {
    name: words().settings.blank,
    time_zone: admin.wrongZone,
    perimeter: admin.wrongNetwork,
  }
  return Object.fromEntries(Object.entries(texts).filter(([key]) => wrong.includes(key)))
}

/** Says first how many people would have to set one up. */
async function mayRequire(): Promise<boolean> {
  const admin = adminWords()
  const coverage = (await call('getSignInCoverage').catch(() => null))?.data
  if (!coverage || coverage.without_second_factor === 0) return true
  const { without_second_factor: without, people } = coverage
  return confirm({
    title: admin.requireTitle,
    text: admin.requireText(without, people),
    action: admin.require,
    cancel: words().common.cancel,
    danger: true,
  })
}

/** What the owner decides for everybody. Only what was changed is sent. */
export function WorkspacePage() {
  const admin = adminWords()
  const [changes, setChanges] = useState<Partial<WorkspaceSettings>>({})
  const [licenses, setLicenses] = useState<string>()
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const { read, setRead, waiting } = useRead(() => call('getWorkspaceSettings'))
  if (!read) return <NotRead {...waiting} />
  const settings = read.data
  const count = licenses === undefined ? settings.licenses : licenses.trim() === '' ? null : Number(licenses)
  const wrongCount = count !== null && (!Number.isInteger(count) || count < 1)

  async function save() {
    if (changes.second_factor === 'required' && !(await mayRequire())) return
    setBusy(true)
    setFaults({})
    try {
      const body = { ...cleaned(changes), ...(licenses === undefined ? {} : { licenses: count }) }
      setRead(await call('updateWorkspaceSettings', { body }))
      setChanges({})
      setLicenses(undefined)
      toast(admin.saved)
    } catch (error) {
      const found = faultsOf(error)
      setFaults(found)
      if (Object.keys(found).length === 0) toast(refusalText(error), { look: 'bad' })
    }
    setBusy(false)
  }
  const changed = Object.keys(changes).length > 0 || licenses !== undefined
  return (
    <div class="admin-form">
      <Rules
        settings={{ ...settings, ...changes }}
        faults={faults}
        onChange={(change) => setChanges({ ...changes, ...change })}
      />
      <TextField
        label={admin.licenses}
        hint={admin.licensesHint}
        value={licenses ?? String(settings.licenses ?? '')}
        error={wrongCount ? admin.wrongNumber : undefined}
        onText={setLicenses}
      />
      <div class="settings-end">
        <Button look="main" busy={busy} disabled={!changed || wrongCount} onClick={() => void save()}>
          {words().common.save}
        </Button>
      </div>
    </div>
  )
}

interface RulesProps {
  settings: WorkspaceSettings
  faults: Faults
  onChange(change: Partial<WorkspaceSettings>): void
}

function Rules({ settings: now, faults, onChange: set }: RulesProps) {
  const admin = adminWords()
  return (
    <>
      <TextField
        label={admin.name}
        maxLength={255}
        value={now.name}
        error={faults.name}
        onText={(name) => set({ name })}
      />
      <TextField
        label={admin.timeZone}
        value={now.time_zone}
        error={faults.time_zone}
        onText={(time_zone) => set({ time_zone })}
      />
      <Who
        label={admin.integrations}
        value={now.integrations}
        onChoose={(who) => set({ integrations: who })}
      />
      <Who
        label={admin.personalTokens}
        value={now.personal_tokens}
        onChoose={(who) => set({ personal_tokens: who })}
      />
      <Who label={admin.ownNames} value={now.own_names} onChoose={(who) => set({ own_names: who })} />
      <Checkbox
        label={admin.secondFactor}
        hint={admin.secondFactorHint}
        checked={now.second_factor === 'required'}
        onChange={(on) => set({ second_factor: on ? 'required' : 'optional' })}
      />
      <Checkbox
        label={admin.showPersonalData}
        checked={now.show_personal_data}
        onChange={(on) => set({ show_personal_data: on })}
      />
      <Checkbox
        label={admin.keepThreads}
        checked={now.removed_members_keep_threads}
        onChange={(on) => set({ removed_members_keep_threads: on })}
      />
      <TextAreaField
        label={admin.perimeter}
        hint={admin.perimeterHint}
        rows={3}
        value={now.perimeter.join('\n')}
        error={faults.perimeter}
        onText={(text) => set({ perimeter: text.split('\n') })}
      />
    </>
  )
}

type Circle = 'admins' | 'all'

function Who({ label, value, onChoose }: { label: string; value: Circle; onChoose(value: Circle): void }) {
  const admin = adminWords()
  return (
    <SelectField
      label={label}
      value={value}
      options={[
        { value: 'admins', label: admin.admins },
        { value: 'all', label: admin.everybody },
      ]}
      onChoose={(chosen) => onChoose(chosen as Circle)}
    />
  )
}
