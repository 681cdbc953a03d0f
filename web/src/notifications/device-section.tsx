import type { PushSubscription } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { NotRead } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { canPush, findSubscription, permission, turnOff, turnOn } from '../platform/push.js'
import { useUntilAnswered } from '../platform/use-until-answered.js'
import { Section } from '../settings/section.js'
import { Thing, Things } from '../settings/things.js'
import { Button } from '../ui/button.js'
import { toast } from '../ui/toast.js'
import { notificationWords } from '../words/notifications.js'

/** Whether this browser shows notifications, and which others do. */
export function DeviceSection() {
  const say = notificationWords()
  const [devices, setDevices] = useState<readonly PushSubscription[] | null>(null)
  const [isOn, setOn] = useState(false)
  const [busy, setBusy] = useState(false)
  async function load() {
    const { data } = await call('listPushSubscriptions')
    setOn(data.some(({ current }) => current) && (await findSubscription()) !== null)
    setDevices(data)
  }
  const waiting = useUntilAnswered(load, [])

  async function change(run: () => Promise<unknown>) {
    setBusy(true)
    await attempt(async () => {
      if ((await run()) === false) toast(say.turnedOff)
      await load()
    })
    setBusy(false)
  }
  const remove = (id: number) => change(() => call('removePushSubscription', { params: { id } }))
  if (devices === null)
    return (
      <Section title={say.device}>
        <NotRead {...waiting} />
      </Section>
    )
  const others = devices.filter(({ current }) => !current)
  return (
    <Section title={say.device}>
      <p>{stateOf(isOn)}</p>
      {canPush() && permission() !== 'denied' && (
        <div class="settings-end">
          <Button
            look={isOn ? 'plain' : 'main'}
            icon={isOn ? 'mute' : 'bell'}
            busy={busy}
            onClick={() => void change(isOn ? turnOff : turnOn)}
          >
            {isOn ? say.turnOff : say.turnOn}
          </Button>
        </div>
      )}
      {others.length > 0 && (
        <>
          <h3>{say.others}</h3>
          <Things>
            {others.map((device) => (
              <Device key={device.id} device={device} onRemove={() => void remove(device.id)} />
            ))}
          </Things>
        </>
      )}
    </Section>
  )
}

function stateOf(isOn: boolean): string {
  const say = notificationWords()
  if (!canPush()) return say.deviceCannot
  if (permission() === 'denied') return say.deviceBlocked
  return isOn ? say.deviceOn : say.deviceOff
}

function Device({ device, onRemove }: { device: PushSubscription; onRemove(): void }) {
  const say = notificationWords()
  const name = device.device ?? words().settings.unknownDevice
  const sent = device.last_sent_at === null ? say.neverSent : say.lastSent(formatMoment(device.last_sent_at))
  return (
    <Thing icon="device" name={name} about={[sent]}>
      <Button look="quiet" aria-label={say.removeOf(name)} onClick={onRemove}>
        {say.remove}
      </Button>
    </Thing>
  )
}
