import type { BotResponse, BotTemplateEngine, TemplateTrial as Result } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { Text } from '../messages/text.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { Section } from '../settings/section.js'
import { Button } from '../ui/button.js'
import { TextAreaField } from '../ui/field.js'
import { botWords } from '../words/bots.js'

const SAMPLE = { text: 'Build 4.2 is green', build: { number: 42, ok: true } }
const written = (value: unknown) => JSON.stringify(value, null, 2)

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

interface TrialProps {
  bot: BotResponse
  template: string
  template_engine: BotTemplateEngine
}

/** Shows what the template makes of a body, saved or not. */
export function TemplateTrial({ bot, template, template_engine }: TrialProps) {
  const bots = botWords()
  const { last_request, last_request_at } = bot.webhook
  const [text, setText] = useState(written(SAMPLE))
  const [result, setResult] = useState<Result | null>(null)
  const [busy, setBusy] = useState(false)
  const body = objectIn(text)

  async function run() {
    if (!body) return
    setBusy(true)
    await attempt(async () => {
      const input = { template, template_engine, body }
      setResult((await call('tryTemplate', { params: { id: bot.id }, body: input })).data)
    })
    setBusy(false)
  }
  return (
    <Section title={bots.trialTitle} text={bots.trialText}>
      <div class="bots-code">
        <TextAreaField
          label={bots.sampleBody}
          hint={last_request_at ? bots.lastRequest(formatMoment(last_request_at)) : undefined}
          rows={6}
          value={text}
          error={body ? undefined : bots.notJson}
          onText={setText}
        />
      </div>
      <div class="settings-end">
        <Button look="main" icon="play" busy={busy} disabled={!body} onClick={() => void run()}>
          {bots.try}
        </Button>
        {last_request && <Button onClick={() => setText(written(last_request))}>{bots.useLast}</Button>}
      </div>
      <div role="status">
        <Outcome result={result} />
      </div>
    </Section>
  )
}

function Outcome({ result }: { result: Result | null }) {
  const bots = botWords()
  if (!result) return null
  if (result.error !== null) return <p class="bots-faults">{bots.templateError(result.error)}</p>
  if (result.text === null) return <p class="quiet">{bots.emptyResult}</p>
  return (
    <section class="design-preview" aria-label={bots.result}>
      <Text content={result.text} />
    </section>
  )
}
