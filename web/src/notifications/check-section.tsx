import { useState } from 'preact/hooks'
import { Section } from '../settings/section.js'
import { Button } from '../ui/button.js'
import { Icon, type IconName } from '../ui/icon.js'
import { notificationWords } from '../words/notifications.js'
import { checkDelivery } from './check.js'
import { type Progress, STEPS, type Step, type StepState, UNCHECKED } from './check-steps.js'
import './check-section.css'

const ICONS: Record<StepState, IconName> = {
  waiting: 'circle',
  running: 'clock',
  ok: 'check',
  failed: 'warn',
}

/** Looks at every step of a notification on its way, and names the one that is broken. */
export function CheckSection() {
  const say = notificationWords()
  const [progress, setProgress] = useState<Progress>(UNCHECKED)
  const [result, setResult] = useState<'none' | 'busy' | 'works' | Step>('none')
  async function check() {
    setResult('busy')
    setResult((await checkDelivery(setProgress)) ?? 'works')
  }
  const isBroken = result !== 'none' && result !== 'busy' && result !== 'works'
  return (
    <Section title={say.check} text={say.checkText}>
      <ol class="check-steps">
        {STEPS.map((step) => (
          <li key={step} class={`check-step check-${progress.states[step]}`}>
            <Icon name={ICONS[progress.states[step]]} label={say.states[progress.states[step]]} />
            <span>
              {say.steps[step]}
              {step === result && (
                <span class="check-advice">
                  {say.advice[step]} <span lang="en">({progress.reason})</span>
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
      <p role="status">
        {result === 'busy' && say.checking}
        {result === 'works' && say.works}
        {isBroken && say.broken(say.steps[result])}
      </p>
      <div class="settings-end">
        <Button icon="retry" busy={result === 'busy'} onClick={() => void check()}>
          {say.checkNow}
        </Button>
      </div>
    </Section>
  )
}
