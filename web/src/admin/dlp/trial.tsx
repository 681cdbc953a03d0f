import type { DlpRuleBody, DlpVerdict } from '@parley/contract'
import { useState } from 'preact/hooks'
import { call } from '../../platform/api.js'
import { Button } from '../../ui/button.js'
import { TextAreaField } from '../../ui/field.js'
import { dlpWords } from '../../words/dlp.js'
import type { Faults } from '../find-faults.js'
import { findRuleFaults } from './rule-faults.js'

/** As many as the server takes at once. */
const TEXTS_AT_MOST = 20

interface Result {
  /** The body and the texts that it is about. */
  of: string
  verdicts: readonly DlpVerdict[]
}

/** Holds sample texts against the conditions as they stand in the form; nothing is kept. */
export function Trial({ body, onFaults }: { body: DlpRuleBody; onFaults(faults: Faults): void }) {
  const dlp = dlpWords()
  const [text, setText] = useState('')
  const [result, setResult] = useState<Result | null>(null)
  const [busy, setBusy] = useState(false)
  const texts = [...new Set(text.split('\n'))].filter((line) => line.trim() !== '')
  const asked = JSON.stringify([body, texts])

  async function tryIt() {
    setBusy(true)
    const run = async () => {
      const { data } = await call('tryDlpRule', { body: { body, texts } })
      setResult({ of: asked, verdicts: data })
    }
    onFaults((await findRuleFaults(run)) ?? {})
    setBusy(false)
  }
  const tooMany = texts.length > TEXTS_AT_MOST
  return (
    <fieldset class="stack">
      <legend class="field-label dlp-legend">{dlp.trial}</legend>
      <TextAreaField
        label={dlp.samples}
        hint={dlp.samplesHint}
        rows={3}
        value={text}
        error={tooMany ? dlp.samplesHint : undefined}
        onText={setText}
      />
      <div>
        <Button icon="play" busy={busy} disabled={texts.length === 0 || tooMany} onClick={() => void tryIt()}>
          {dlp.tryIt}
        </Button>
      </div>
      <div role="status">
        {result?.of === asked && (
          <ul aria-label={dlp.verdictsLabel}>
            {texts.map((sample, index) => (
              <li key={sample}>
                <strong>{dlp.verdicts[result.verdicts[index] ?? 'unknown']}</strong>: {sample}
              </li>
            ))}
          </ul>
        )}
      </div>
    </fieldset>
  )
}
