import type { DeviceLogin, Grant } from '@parley/contract'
import { attempt } from '../frame/attempt.js'
import { NotRead } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { useRead } from '../platform/use-read.js'
import { listGroups } from '../tokens/scopes.js'
import { Button } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { accessWords } from '../words/access.js'
import { Section } from './section.js'
import { Thing, Things } from './things.js'

const readGrants = async (): Promise<readonly Grant[]> => (await call('listGrants')).data
const readDevices = async (): Promise<readonly DeviceLogin[]> => (await call('listDeviceLogins')).data

/** Bots that act for the person, and devices that were signed in by a code. */
export function AppsPage() {
  const { read: grants, setRead: setGrants, ...reading } = useRead(readGrants)
  const { read: devices, setRead: setDevices, waiting } = useRead(readDevices)
  const access = accessWords()
  const { common } = words()

  async function removeGrant({ bot_id, bot_name }: Grant) {
    const title = access.removeAppTitle(bot_name)
    const question = { title, text: access.removeAppText, action: access.remove, cancel: common.cancel }
    if (!(await confirm({ ...question, danger: true }))) return
    if (await attempt(() => call('revokeGrant', { params: { bot_id } })))
      setGrants((known) => known?.filter((one) => one.bot_id !== bot_id) ?? null)
  }
  async function endDevice(id: number) {
    if (await attempt(() => call('endDeviceLogin', { params: { id } })))
      setDevices((known) => known?.filter((one) => one.id !== id) ?? null)
  }

  return (
    <>
      <Section title={access.appsTitle} text={access.appsText}>
        {grants === null && <NotRead {...reading.waiting} />}
        {grants?.length === 0 && <p class="quiet">{access.noApps}</p>}
        {grants && grants.length > 0 && (
          <Things>
            {grants.map((grant) => (
              <GrantRow key={grant.bot_id} grant={grant} onRemove={() => void removeGrant(grant)} />
            ))}
          </Things>
        )}
      </Section>
      <Section title={access.devicesTitle} text={access.devicesText}>
        {devices === null && <NotRead {...waiting} />}
        {devices?.length === 0 && <p class="quiet">{access.noDevices}</p>}
        {devices && devices.length > 0 && (
          <Things>
            {devices.map((device) => (
              <DeviceRow key={device.id} device={device} onEnd={() => void endDevice(device.id)} />
            ))}
          </Things>
        )}
      </Section>
    </>
  )
}

function GrantRow({ grant, onRemove }: { grant: Grant; onRemove(): void }) {
  const access = accessWords()
  return (
    <Thing
      icon="bot"
      name={grant.bot_name}
      about={[
        access.created(formatMoment(grant.created_at)),
        grant.last_used_at ? access.used(formatMoment(grant.last_used_at)) : access.neverUsed,
        listGroups(grant.scopes),
      ]}
    >
      <Button look="quiet" aria-label={access.removeApp(grant.bot_name)} onClick={onRemove}>
        {access.remove}
      </Button>
    </Thing>
  )
}

function DeviceRow({ device, onEnd }: { device: DeviceLogin; onEnd(): void }) {
  const { settings } = words()
  const access = accessWords()
  const name = device.device_name ?? settings.unknownDevice
  return (
    <Thing
      icon="device"
      name={name}
      about={[
        settings.signedIn(formatMoment(device.created_at)),
        device.last_used_at ? access.used(formatMoment(device.last_used_at)) : access.neverUsed,
      ]}
    >
      <Button look="quiet" aria-label={settings.endSessionOf(name)} onClick={onEnd}>
        {settings.endSession}
      </Button>
    </Thing>
  )
}
