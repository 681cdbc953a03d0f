import type { Delivery, DeliveryState } from '@parley/contract'
import { useState } from 'preact/hooks'
import { MoreButton, Reading } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { Button } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import { SelectField } from '../ui/field.js'
import { toast } from '../ui/toast.js'
import { botWords } from '../words/bots.js'
import type { BotPageProps } from './bot-page.js'
import { DeliveryRow } from './delivery-row.js'
import { PERIODS_MS, type Period } from './periods.js'
import { Replays } from './replays.js'
import { sendRefusal } from './send-refusal.js'
import { useDeliveries } from './use-deliveries.js'
import { Paused } from './webhook-page.js'

type Shown = DeliveryState | 'all'

/** Sends something again and says what became of that. */
async function sendAgain(run: () => Promise<unknown>, done: string) {
  try {
    await run()
    toast(done)
  } catch (error) {
    toast(sendRefusal(error), { look: 'bad' })
  }
}

/** Every webhook of the bot with its attempts, as they happen. */
export function DeliveriesPage({ bot, onChange }: BotPageProps) {
  const bots = botWords()
  const [state, setState] = useState<Shown>('all')
  const { items, error, busy, more, refresh } = useDeliveries(bot.id, state)

  async function redeliver({ id }: Delivery) {
    const params = { id: bot.id, delivery_id: id }
    await sendAgain(() => call('redeliver', { params }), bots.redelivered)
    await refresh()
  }
  return (
    <>
      <Paused bot={bot} onChange={onChange} />
      <div class="bots-tools">
        <SelectField
          label={bots.state}
          value={state}
          options={(Object.keys(bots.states) as Shown[]).map((one) => ({
            value: one,
            label: bots.states[one],
          }))}
          onChoose={(one) => setState(one as Shown)}
        />
        <SendFailed bot_id={bot.id} onDone={() => void refresh()} />
      </div>
      {error && <p role="alert">{error}</p>}
      {!items && !error && <Reading />}
      {items?.length === 0 && <Empty icon="send" title={bots.noDeliveries} text={bots.noDeliveriesText} />}
      {items && items.length > 0 && (
        <ul class="bots-list">
          {items.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} onRedeliver={() => void redeliver(delivery)} />
          ))}
        </ul>
      )}
      {more && <MoreButton busy={busy} onMore={more} />}
      <Replays bot_id={bot.id} />
    </>
  )
}

function SendFailed({ bot_id, onDone }: { bot_id: number; onDone(): void }) {
  const bots = botWords()
  const [period, setPeriod] = useState<Period>('day')
  async function send() {
    const now = Date.now()
    const body = {
      created_from: new Date(now - PERIODS_MS[period]).toISOString(),
      created_to: new Date(now).toISOString(),
    }
    await sendAgain(() => call('redeliverRange', { params: { id: bot_id }, body }), bots.redeliveredAll)
    onDone()
  }
  return (
    <>
      <SelectField
        label={bots.redeliverPeriod}
        value={period}
        options={(Object.keys(PERIODS_MS) as Period[]).map((one) => ({
          value: one,
          label: bots.periods[one],
        }))}
        onChoose={(one) => setPeriod(one as Period)}
      />
      <Button icon="retry" onClick={() => void send()}>
        {bots.redeliverFailed}
      </Button>
    </>
  )
}
