import type { OwnProfileUpdate, User } from '@parley/contract'
import { useState } from 'preact/hooks'
import { sayFailure } from '../frame/attempt.js'
import { ApiFailure, call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { apply, state } from '../store.js'
import { Button } from '../ui/button.js'
import { SelectField, TextField } from '../ui/field.js'
import { Form } from '../ui/form.js'
import { toast } from '../ui/toast.js'
import { Picture } from './picture.js'
import { changesOf, type ProfileFields } from './profile.js'
import { Section } from './section.js'

/** Name, nickname, title, phone and time zone. Only what was changed is sent. */
export function ProfileForm({ user, mayRename }: { user: User; mayRename: boolean }) {
  const { account, settings, common } = words()
  const [fields, setFields] = useState<ProfileFields>({})
  const [faults, setFaults] = useState<Partial<Record<keyof OwnProfileUpdate, string>>>({})
  const [busy, setBusy] = useState(false)
  const changes = changesOf(user, fields)

  async function submit() {
    setFaults({})
    setBusy(true)
    try {
      const { data } = await call('updateOwnProfile', { body: { user: changes } })
      apply({ type: 'profile', user: data })
      setFields({})
      toast(settings.saved)
    } catch (error) {
      const found = faultsOf(error)
      setFaults(found)
      if (Object.keys(found).length === 0) sayFailure(error)
    } finally {
      setBusy(false)
    }
  }

  const field = (name: keyof OwnProfileUpdate) => ({
    value: fields[name] ?? user[name] ?? '',
    error: faults[name],
    maxLength: 255,
    onText: (text: string) => setFields({ ...fields, [name]: text }),
  })
  const named = (name: keyof OwnProfileUpdate) => ({ ...field(name), disabled: !mayRename })
  return (
    <Section title={settings.profile} {...(mayRename ? {} : { text: settings.namesByAdmins })}>
      <Picture id={user.id} has={user.image_url !== null} />
      <Form class="settings-section" onSubmit={submit}>
        <div class="settings-pair">
          <TextField label={account.firstName} autocomplete="given-name" {...named('first_name')} />
          <TextField label={account.lastName} autocomplete="family-name" {...named('last_name')} />
        </div>
        <TextField label={settings.nickname} hint={settings.nicknameHint} {...named('nickname')} />
        <TextField label={settings.jobTitle} {...named('title')} />
        <div class="settings-pair">
          <TextField label={settings.phone} type="tel" autocomplete="tel" {...field('phone_number')} />
          <ZoneField
            value={fields.time_zone ?? user.time_zone ?? ''}
            error={faults.time_zone}
            onChoose={(time_zone) => setFields({ ...fields, time_zone })}
          />
        </div>
        <div class="settings-end">
          <Button look="main" type="submit" busy={busy} disabled={Object.keys(changes).length === 0}>
            {common.save}
          </Button>
        </div>
      </Form>
    </Section>
  )
}

interface ZoneFieldProps {
  value: string
  error: string | undefined
  onChoose(zone: string): void
}

function ZoneField({ value, error, onChoose }: ZoneFieldProps) {
  const { settings } = words()
  const zones = new Set([...(value ? [value] : []), ...Intl.supportedValuesOf('timeZone')])
  const workspace = state.session.value?.workspace.time_zone ?? 'UTC'
  const options = [...zones].sort().map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
  return (
    <SelectField
      label={settings.timeZone}
      value={value}
      error={error}
      options={[{ value: '', label: settings.workspaceZone(workspace) }, ...options]}
      onChoose={onChoose}
    />
  )
}

function faultsOf(error: unknown): Partial<Record<keyof OwnProfileUpdate, string>> {
  if (!(error instanceof ApiFailure)) return {}
  const { settings } = words()
  const texts: Record<string, string> = {
    already_exists: settings.taken,
    use_of_system_words: settings.reserved,
    too_long: settings.tooLong,
    blank: settings.blank,
  }
  const found = error.faults.flatMap(({ key, code }) =>
    key ? [[key.split('.').at(-1), texts[code] ?? settings.invalid]] : [],
  )
  return Object.fromEntries(found)
}
