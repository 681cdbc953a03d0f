import type { HealthFinding } from '@parley/contract'
import { fillText } from '@parley/contract/findings'
import { useEffect, useState } from 'preact/hooks'
import { ReadingFailed } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { locale } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { Button } from '../ui/button.js'
import { Icon } from '../ui/icon.js'
import { Table } from '../ui/table.js'
import { adminWords } from '../words/admin.js'
import { healthTexts } from '../words/health.js'

/** Tries everything that the server needs, and says what to do where something is wrong. */
export function HealthPage() {
  const { health, pages, state } = adminWords()
  const [findings, setFindings] = useState<readonly HealthFinding[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(true)
  async function check() {
    setBusy(true)
    setFailure(null)
    try {
      setFindings((await call('getHealth')).data)
    } catch (error) {
      setFailure(refusalText(error))
    }
    setBusy(false)
  }
  useEffect(() => void check(), [])
  if (failure !== null) return <ReadingFailed text={failure} onRetry={() => void check()} />
  return (
    <>
      <div class="admin-tools">
        <Button icon="retry" busy={busy} onClick={() => void check()}>
          {health.again}
        </Button>
      </div>
      <p role="status">{busy ? health.checking : findings && summaryOf(findings)}</p>
      {findings && (
        <Table
          caption={pages.health}
          rows={findings}
          keyOf={({ check }) => check}
          empty={health.nothing}
          columns={[
            { title: health.check, draw: nameOf },
            { title: state, draw: (finding) => <State state={finding.state} /> },
            { title: health.detail, draw: (finding) => <Told finding={finding} part="detail" /> },
            { title: health.advice, draw: (finding) => <Told finding={finding} part="advice" /> },
          ]}
        />
      )}
    </>
  )
}

function State({ state }: Pick<HealthFinding, 'state'>) {
  return (
    <span class={`admin-state ${state === 'failed' ? 'admin-bad' : ''}`}>
      <Icon name={state === 'ok' ? 'check' : 'warn'} size="sm" /> {adminWords().health.states[state]}
    </span>
  )
}

/** A finding that this client does not know yet is told as the server says it, in English. */
function Told({ finding, part }: { finding: HealthFinding; part: 'detail' | 'advice' }) {
  const texts: { detail: string; advice?: string } | undefined = healthTexts()[finding.code]
  if (!texts) return finding[part] && <span lang="en">{finding[part]}</span>
  const values = Object.entries(finding.values).map(([name, value]) => [
    name,
    typeof value === 'number' ? value.toLocaleString(locale()) : value,
  ])
  return <>{fillText(texts[part] ?? '', Object.fromEntries(values))}</>
}

/** A check that this client does not know yet goes by the name that the server gives it. */
function nameOf({ check }: HealthFinding): string {
  const { checks } = adminWords().health
  return checks[check as keyof typeof checks] ?? check
}

function summaryOf(findings: readonly HealthFinding[]): string {
  const { health } = adminWords()
  const count = (state: HealthFinding['state']) => findings.filter((one) => one.state === state).length
  const [failed, warnings] = [count('failed'), count('warning')]
  if (failed + warnings === 0) return health.fine
  return [failed && health.failed(failed), warnings && health.warnings(warnings)].filter(Boolean).join(' ')
}
