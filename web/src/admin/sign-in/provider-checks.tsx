import type { IdentityProvider, ProviderCheck } from '@parley/contract'
import { fillText } from '@parley/contract/findings'
import { useEffect, useState } from 'preact/hooks'
import { attempt } from '../../frame/attempt.js'
import { call } from '../../platform/api.js'
import { words } from '../../platform/i18n.js'
import { Dialog } from '../../ui/dialog.js'
import { Icon } from '../../ui/icon.js'
import { Table } from '../../ui/table.js'
import { signInWords } from '../../words/sign-in.js'

/** Asks the provider as a sign-in would, and says which step fails. */
export function ProviderChecks({ provider, onClose }: { provider: IdentityProvider; onClose(): void }) {
  const say = signInWords()
  const [checks, setChecks] = useState<readonly ProviderCheck[] | null>(null)
  useEffect(
    () =>
      void attempt(async () =>
        setChecks((await call('tryIdentityProvider', { params: { id: provider.id } })).data),
      ),
    [],
  )
  const broken = checks?.find(({ state }) => state === 'failed')
  const summary = !checks ? say.checking : broken ? say.broken(say.steps[broken.step]) : say.working
  return (
    <Dialog
      title={say.checksOf(provider.name)}
      size="large"
      closeLabel={words().common.close}
      onClose={onClose}
    >
      <div class="stack">
        <p role="status">{summary}</p>
        {checks && (
          <Table
            caption={say.checks}
            rows={checks}
            keyOf={({ step }) => step}
            empty=""
            columns={[
              { title: say.step, draw: ({ step }) => say.steps[step] },
              { title: say.state, draw: ({ state }) => <State state={state} /> },
              { title: say.found, draw: foundText },
            ]}
          />
        )}
      </div>
    </Dialog>
  )
}

/** A code that this client does not know yet is told as the server says it. */
function foundText({ code, values, detail }: ProviderCheck): string | null {
  const text = code && signInWords().findings[code]
  return text ? fillText(text, values) : detail
}

function State({ state }: Pick<ProviderCheck, 'state'>) {
  return (
    <span class={`admin-state ${state === 'failed' ? 'admin-bad' : ''}`}>
      {state !== 'skipped' && <Icon name={state === 'ok' ? 'check' : 'warn'} size="sm" />}{' '}
      {signInWords().stepStates[state]}
    </span>
  )
}
