import type { IdentityProvider, SignInCoverage } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../../frame/attempt.js'
import { NotRead } from '../../frame/waiting.js'
import { call } from '../../platform/api.js'
import { formatMoment } from '../../platform/format.js'
import { words } from '../../platform/i18n.js'
import { useRead } from '../../platform/use-read.js'
import { Button } from '../../ui/button.js'
import { confirm } from '../../ui/confirm.js'
import { type Column, Table } from '../../ui/table.js'
import { toast } from '../../ui/toast.js'
import { adminWords } from '../../words/admin.js'
import { signInWords } from '../../words/sign-in.js'
import { PasswordSwitch } from './password-switch.js'
import { ProviderChecks } from './provider-checks.js'
import { ProviderDialog } from './provider-dialog.js'
import { findProviderFaults } from './provider-faults.js'
import { ScimSection } from './scim-section.js'

interface Read {
  providers: readonly IdentityProvider[]
  coverage: SignInCoverage
  passwords: boolean
}

async function readAll(): Promise<Read> {
  const [providers, coverage, settings] = await Promise.all([
    call('listIdentityProviders'),
    call('getSignInCoverage'),
    call('getWorkspaceSettings'),
  ])
  const passwords = settings.data.password_sign_in === 'on'
  return { providers: providers.data, coverage: coverage.data, passwords }
}

type Open = { edit: IdentityProvider | null } | { test: IdentityProvider }

/** How people come in: identity providers, passwords, and provisioning. */
export function SignInPage() {
  const say = signInWords()
  const { read, setRead, waiting } = useRead(readAll)
  const [open, setOpen] = useState<Open | null>(null)
  const refresh = () => attempt(async () => setRead(await readAll()))
  if (!read) return <NotRead {...waiting} />

  async function remove({ id, name, people }: IdentityProvider) {
    const question = { title: say.deleteTitle(name), text: say.deleteText(people) }
    const { common } = words()
    const answers = { action: common.delete, cancel: common.cancel }
    if (!(await confirm({ ...question, ...answers, danger: true }))) return
    const faults = await findProviderFaults(() => call('deleteIdentityProvider', { params: { id } }))
    if (faults?.enabled) toast(faults.enabled, { look: 'bad' })
    await refresh()
  }
  const columns = columnsOf({
    onTest: (test) => setOpen({ test }),
    onEdit: (edit) => setOpen({ edit }),
    onRemove: (provider) => void remove(provider),
  })
  return (
    <>
      <div class="stack">
        <h2 class="admin-heading">{say.providers}</h2>
        <p>{say.providersText}</p>
        <div class="admin-tools">
          <Button icon="plus" look="main" onClick={() => setOpen({ edit: null })}>
            {say.create}
          </Button>
        </div>
        <Table
          caption={say.providers}
          rows={read.providers}
          keyOf={({ id }) => id}
          empty={say.none}
          columns={columns}
        />
      </div>
      <PasswordSwitch isOn={read.passwords} coverage={read.coverage} onChanged={() => void refresh()} />
      <ScimSection />
      {open && 'edit' in open && (
        <ProviderDialog
          provider={open.edit}
          onClose={() => setOpen(null)}
          onSaved={() => {
            setOpen(null)
            void refresh()
          }}
        />
      )}
      {open && 'test' in open && <ProviderChecks provider={open.test} onClose={() => setOpen(null)} />}
    </>
  )
}

interface Handlers {
  onTest(provider: IdentityProvider): void
  onEdit(provider: IdentityProvider): void
  onRemove(provider: IdentityProvider): void
}

function columnsOf({ onTest, onEdit, onRemove }: Handlers): Column<IdentityProvider>[] {
  const say = signInWords()
  const admin = adminWords()
  const { common } = words()
  return [
    { title: say.name, draw: ({ name }) => name },
    { title: say.issuer, draw: ({ issuer }) => <span class="admin-code">{issuer}</span> },
    { title: say.state, draw: ({ enabled }) => (enabled ? say.on : say.off) },
    { title: say.linked, end: true, draw: ({ people }) => people },
    {
      title: say.lastUsed,
      draw: ({ last_used_at }) => (last_used_at ? formatMoment(last_used_at) : admin.never),
    },
    {
      title: admin.actions,
      end: true,
      draw: (provider) => (
        <span class="admin-line">
          <Button look="quiet" aria-label={say.testOf(provider.name)} onClick={() => onTest(provider)}>
            {say.test}
          </Button>
          <Button look="quiet" aria-label={say.editOf(provider.name)} onClick={() => onEdit(provider)}>
            {common.edit}
          </Button>
          <Button look="quiet" aria-label={say.deleteOf(provider.name)} onClick={() => onRemove(provider)}>
            {common.delete}
          </Button>
        </span>
      ),
    },
  ]
}
