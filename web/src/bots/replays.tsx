import type { Replay, ReplayOnly, ReplayPlan, ReplayRequest } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { useEvery } from '../platform/use-every.js'
import { Section } from '../settings/section.js'
import { Thing, Things } from '../settings/things.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { SelectField } from '../ui/field.js'
import { botWords } from '../words/bots.js'
import { PERIODS_MS, type Period } from './periods.js'
import { sendRefusal } from './send-refusal.js'

const AGAIN_AFTER_MS = 2_000
const SHOWN = 5

/** Replays of a bot; while one runs, they are read again every few seconds. */
function useReplays(id: number) {
  const [replays, setReplays] = useState<readonly Replay[]>([])
  const running = replays.some(({ state }) => state === 'running')
  const read = () =>
    attempt(async () =>
      setReplays((await call('listReplays', { params: { id }, query: { limit: SHOWN } })).data),
    )
  useEffect(() => void read(), [id])
  useEvery(running ? AGAIN_AFTER_MS : null, () => void read())
  return { replays, read }
}

/** Sends events of a period again, or for the first time, and shows how far that has come. */
export function Replays({ bot_id }: { bot_id: number }) {
  const bots = botWords()
  const [open, setOpen] = useState(false)
  const { replays, read } = useReplays(bot_id)
  async function cancel(replay_id: number) {
    await attempt(() => call('cancelReplay', { params: { id: bot_id, replay_id } }))
    await read()
  }
  return (
    <Section title={bots.replays} text={bots.replaysText}>
      {replays.length > 0 && (
        <Things>
          {replays.map((replay) => (
            <ReplayLine key={replay.id} replay={replay} onCancel={() => void cancel(replay.id)} />
          ))}
        </Things>
      )}
      <div class="settings-end">
        <Button icon="retry" onClick={() => setOpen(true)}>
          {bots.newReplay}
        </Button>
      </div>
      {open && (
        <ReplayDialog
          bot_id={bot_id}
          onClose={() => setOpen(false)}
          onStarted={() => {
            setOpen(false)
            void read()
          }}
        />
      )}
    </Section>
  )
}

function ReplayLine({ replay, onCancel }: { replay: Replay; onCancel(): void }) {
  const bots = botWords()
  const { id, state, from, to, total, done, failed, to_endpoint } = replay
  return (
    <Thing
      icon="retry"
      name={`${formatMoment(from)} – ${formatMoment(to)}`}
      badge={bots.replayStates[state]}
      about={[to_endpoint, bots.replayed(done, total), failed > 0 && bots.replayFailed(failed)]}
    >
      {state === 'running' && (
        <Button aria-label={bots.cancelReplayOf(id)} onClick={onCancel}>
          {words().common.cancel}
        </Button>
      )}
    </Thing>
  )
}

interface ReplayDialogProps {
  bot_id: number
  onStarted(): void
  onClose(): void
}

/** Says in numbers what would be sent before it is, or why nothing can be. */
function ReplayDialog({ bot_id, onStarted, onClose }: ReplayDialogProps) {
  const bots = botWords()
  const { common } = words()
  const [period, setPeriod] = useState<Period>('day')
  const [only, setOnly] = useState<ReplayOnly>('missing')
  const [plan, setPlan] = useState<(ReplayPlan & { body: ReplayRequest }) | null>(null)
  const [refusal, setRefusal] = useState('')
  const params = { id: bot_id }

  useEffect(() => {
    // A minute within the week for which events are kept.
    const from = new Date(Date.now() - PERIODS_MS[period] + 60_000).toISOString()
    const body = { from, to: new Date().toISOString(), only }
    let wanted = true
    setPlan(null)
    setRefusal('')
    call('planReplay', { params, body }).then(
      ({ data }) => wanted && setPlan({ ...data, body }),
      (error) => wanted && setRefusal(sendRefusal(error)),
    )
    return () => {
      wanted = false
    }
  }, [period, only])

  async function start() {
    if (plan && (await attempt(() => call('createReplay', { params, body: plan.body })))) onStarted()
  }
  return (
    <Dialog
      title={bots.newReplay}
      closeLabel={common.close}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="main" disabled={!plan || plan.total === 0} onClick={() => void start()}>
            {bots.startReplay}
          </Button>
        </>
      }
    >
      <div class="stack">
        <SelectField
          label={bots.replayPeriod}
          value={period}
          options={(Object.keys(PERIODS_MS) as Period[]).map((one) => ({
            value: one,
            label: bots.periods[one],
          }))}
          onChoose={(one) => setPeriod(one as Period)}
        />
        <SelectField
          label={bots.replayOnly}
          value={only}
          options={(Object.keys(bots.replayKinds) as ReplayOnly[]).map((one) => ({
            value: one,
            label: bots.replayKinds[one],
          }))}
          onChoose={(one) => setOnly(one as ReplayOnly)}
        />
        <div role="status">{plan ? <Planned plan={plan} /> : refusal || common.loading}</div>
      </div>
    </Dialog>
  )
}

function Planned({ plan: { total, by_event } }: { plan: ReplayPlan }) {
  const bots = botWords()
  const names: Readonly<Record<string, string>> = bots.eventNames
  return (
    <>
      <p>{bots.wouldReplay(total)}</p>
      <ul class="quiet">
        {Object.entries(by_event).map(([event, count]) => (
          <li key={event}>
            {names[event] ?? event}: {count}
          </li>
        ))}
      </ul>
    </>
  )
}
