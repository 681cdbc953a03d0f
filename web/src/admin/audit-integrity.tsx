import type { AuditIntegrity } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { Secret } from '../ui/secret.js'
import { adminWords } from '../words/admin.js'

/** Walks the hash chain of the log when it is asked to, and says whether anybody changed a record. */
export function IntegrityCheck() {
  const { integrity } = adminWords()
  const { common } = words()
  const [result, setResult] = useState<AuditIntegrity | null>(null)
  const [busy, setBusy] = useState(false)
  async function check() {
    setBusy(true)
    setResult(null)
    await attempt(async () => setResult((await call('checkAuditIntegrity')).data))
    setBusy(false)
  }
  return (
    <div class="admin-form">
      <div class="admin-tools">
        <Button icon="lock" busy={busy} onClick={() => void check()}>
          {integrity.check}
        </Button>
      </div>
      <p role="status" class={result?.whole === false ? 'admin-bad' : undefined}>
        {busy ? integrity.checking : result && textOf(result)}
      </p>
      {result?.head && (
        <Secret
          label={integrity.head}
          value={result.head}
          copyLabel={common.copy}
          copiedText={common.copied}
        />
      )}
    </div>
  )
}

function textOf({ whole, checked, unsealed, position, fault }: AuditIntegrity): string {
  const { integrity } = adminWords()
  const found = whole ? integrity.whole(checked) : integrity.broken(position ?? checked)
  return [found, fault && integrity.faults[fault], unsealed > 0 && integrity.unsealed(unsealed)]
    .filter(Boolean)
    .join(' ')
}
