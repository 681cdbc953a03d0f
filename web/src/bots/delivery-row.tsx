import type { Delivery, DeliveryAttempt } from '@parley/contract'
import { CodeBlock } from '../messages/code.js'
import { formatMoment } from '../platform/format.js'
import { Button } from '../ui/button.js'
import { Table } from '../ui/table.js'
import { botWords } from '../words/bots.js'
import { errorText } from './error-text.js'

const LOOKS: Record<Delivery['state'], string> = {
  pending: 'bots-calm',
  delivered: '',
  failed: 'bots-bad',
  cancelled: 'bots-calm',
}

/** One webhook: what was sent, what came back each time, and when it is tried next. */
export function DeliveryRow({ delivery, onRedeliver }: { delivery: Delivery; onRedeliver(): void }) {
  const bots = botWords()
  const { event_type, event_id, state, created_at, next_attempt_at, attempts, payload } = delivery
  const last = attempts.at(-1)
  return (
    <li>
      <details class="delivery">
        <summary class="delivery-head">
          <b>{bots.eventNames[event_type]}</b>
          <span class={`bots-badge ${LOOKS[state]}`}>{bots.states[state]}</span>
          {last && <code>{last.status ?? bots.noAnswer}</code>}
          <span class="quiet">
            {formatMoment(created_at)} · {bots.attemptCount(attempts.length)}
          </span>
        </summary>
        <div class="delivery-body">
          {next_attempt_at && <p class="quiet">{bots.nextAttempt(formatMoment(next_attempt_at))}</p>}
          <Attempts attempts={attempts} />
          <h2>{bots.request}</h2>
          <CodeBlock language="json" text={JSON.stringify(payload, null, 2)} />
          <div class="settings-end">
            <Button icon="retry" aria-label={bots.redeliverOf(event_id)} onClick={onRedeliver}>
              {bots.redeliver}
            </Button>
          </div>
        </div>
      </details>
    </li>
  )
}

function answerOf(attempt: DeliveryAttempt): string {
  return (
    [attempt.status, attempt.error && errorText(attempt)].filter(Boolean).join(' ') || botWords().noAnswer
  )
}

function Attempts({ attempts }: { attempts: readonly DeliveryAttempt[] }) {
  const bots = botWords()
  return (
    <Table
      caption={bots.attempts}
      rows={attempts}
      keyOf={({ number }) => number}
      empty={bots.notTried}
      columns={[
        { title: bots.number, draw: ({ number }) => number },
        {
          title: bots.when,
          draw: ({ at }) => <time dateTime={at}>{formatMoment(at)}</time>,
        },
        {
          title: bots.answer,
          draw: answerOf,
        },
        { title: bots.took, end: true, draw: ({ duration_ms }) => bots.milliseconds(duration_ms) },
      ]}
    />
  )
}
