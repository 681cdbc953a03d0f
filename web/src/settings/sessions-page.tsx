import type { OwnSession } from '@parley/contract'
import { useState } from 'preact/hooks'
import { leave, mayLeave } from '../account/leaving.js'
import { sayFailure } from '../frame/attempt.js'
import { NotRead } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { useUntilAnswered } from '../platform/use-until-answered.js'
import { signOut } from '../sync.js'
import { Button } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { toast } from '../ui/toast.js'
import { Section } from './section.js'
import { Thing, Things } from './things.js'

export function SessionsPage() {
  const { account, settings, common } = words()
  const [sessions, setSessions] = useState<readonly OwnSession[] | null>(null)
  const load = async () => setSessions((await call('listOwnSessions')).data)
  const waiting = useUntilAnswered(load, [])

  async function ask(text: string, action: string, run: () => Promise<void>) {
    const yes = await confirm({ title: action, text, action, cancel: common.cancel, danger: true })
    if (yes) await run().catch(sayFailure)
  }
  const endOthers = () =>
    ask(settings.endOthersText, settings.endOthers, async () => {
      await call('endOtherSessions')
      await load()
      toast(settings.othersEnded)
    })
  const endAll = () =>
    ask(settings.everywhereText, account.signOutEverywhere, async () => {
      if (!(await mayLeave())) return
      await call('endOtherSessions')
      await signOut()
    })
  const end = async (id: number) => {
    await call('endOwnSession', { params: { id } })
    setSessions((known) => known?.filter((one) => one.id !== id) ?? null)
  }

  return (
    <Section title={settings.sessions} text={settings.sessionsText}>
      {sessions === null ? (
        <NotRead {...waiting} />
      ) : (
        <Things>
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              onEnd={() => void end(session.id).catch(sayFailure)}
            />
          ))}
        </Things>
      )}
      {sessions?.length === 1 && <p class="quiet">{settings.noOthers}</p>}
      <div class="settings-end">
        {sessions !== null && sessions.length > 1 && (
          <Button onClick={() => void endOthers()}>{settings.endOthers}</Button>
        )}
        <Button onClick={() => void leave().catch(sayFailure)}>{account.signOut}</Button>
        <Button look="danger" onClick={() => void endAll()}>
          {account.signOutEverywhere}
        </Button>
      </div>
    </Section>
  )
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd(): void }) {
  const { settings } = words()
  const device = session.device ?? settings.unknownDevice
  return (
    <Thing
      icon="device"
      name={device}
      badge={session.current ? settings.thisSession : undefined}
      about={[
        session.address,
        settings.signedIn(formatMoment(session.created_at)),
        session.last_used_at && settings.lastUsed(formatMoment(session.last_used_at)),
      ]}
    >
      {!session.current && (
        <Button look="quiet" aria-label={settings.endSessionOf(device)} onClick={onEnd}>
          {settings.endSession}
        </Button>
      )}
    </Thing>
  )
}
