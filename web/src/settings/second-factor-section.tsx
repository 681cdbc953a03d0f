import type { Passkey, SecondFactor } from '@parley/contract'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { NotRead } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { useRead } from '../platform/use-read.js'
import { Button } from '../ui/button.js'
import { accessWords } from '../words/access.js'
import { AppDialog } from './app-dialog.js'
import { CodesDialog } from './codes-dialog.js'
import { PasskeyDialog } from './passkey-dialog.js'
import { PasswordDialog } from './password-dialog.js'
import { Section } from './section.js'
import { Thing, Things } from './things.js'

type Open = 'app' | 'app-off' | 'passkey' | 'codes' | { remove: Passkey }

const readFactor = async (): Promise<SecondFactor> => (await call('getSecondFactor')).data

/** What signing in asks for besides the password. */
export function SecondFactorSection({ onProtected }: { onProtected?: () => void }) {
  const access = accessWords()
  const { read: factor, setRead: setFactor, waiting } = useRead(readFactor)
  const [open, setOpen] = useState<Open | null>(null)
  const [codes, setCodes] = useState<readonly string[]>([])
  const read = () => attempt(async () => setFactor(await readFactor()))

  const close = () => setOpen(null)
  async function changed(recovery_codes: readonly string[] = []) {
    close()
    setCodes(recovery_codes)
    await read()
    if (recovery_codes.length === 0 && open !== 'app-off') onProtected?.()
  }
  if (!factor) return <NotRead {...waiting} />
  const any = factor.totp || factor.passkeys.length > 0
  return (
    <Section title={access.factorTitle} text={access.factorText}>
      <Things>
        <Thing
          icon="device"
          name={access.app}
          badge={factor.totp ? access.factorOn : undefined}
          about={[factor.totp ? access.appOn : access.appOff]}
        >
          {factor.totp ? (
            <Button look="quiet" aria-label={access.turnOffApp} onClick={() => setOpen('app-off')}>
              {access.turnOff}
            </Button>
          ) : (
            <Button onClick={() => setOpen('app')}>{access.setUp}</Button>
          )}
        </Thing>
        {factor.passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setOpen({ remove: passkey })} />
        ))}
        <Thing
          icon="key"
          name={access.passkeys}
          about={[factor.passkeys_possible ? access.noPasskeys : access.passkeysImpossible]}
        >
          {factor.passkeys_possible && browserSupportsWebAuthn() && (
            <Button onClick={() => setOpen('passkey')}>{access.addPasskey}</Button>
          )}
        </Thing>
        {any && (
          <Thing icon="list" name={access.codes} about={[access.codesLeft(factor.recovery_codes_left)]}>
            <Button look="quiet" onClick={() => setOpen('codes')}>
              {access.newCodes}
            </Button>
          </Thing>
        )}
      </Things>
      {open === 'app' && <AppDialog onDone={changed} onClose={close} />}
      {open === 'passkey' && <PasskeyDialog onDone={changed} onClose={close} />}
      {open && <AskAgain open={open} onDone={changed} onClose={close} />}
      {codes.length > 0 && (
        <CodesDialog
          codes={codes}
          onClose={() => {
            setCodes([])
            onProtected?.()
          }}
        />
      )}
    </Section>
  )
}

interface AskAgainProps {
  open: Open
  onDone(codes?: readonly string[]): Promise<void>
  onClose(): void
}

/** What needs the password alone. */
function AskAgain({ open, onDone, onClose }: AskAgainProps) {
  const access = accessWords()
  if (open === 'app-off')
    return (
      <PasswordDialog
        title={access.turnOffApp}
        text={access.turnOffText}
        action={access.turnOff}
        danger
        onPassword={async (proof) => {
          await call('removeTotp', { body: proof })
          await onDone()
        }}
        onClose={onClose}
      />
    )
  if (open === 'codes')
    return (
      <PasswordDialog
        title={access.newCodes}
        text={access.newCodesText}
        action={access.newCodes}
        onPassword={async (proof) => {
          const { data } = await call('renewRecoveryCodes', { body: proof })
          await onDone(data.recovery_codes)
        }}
        onClose={onClose}
      />
    )
  if (typeof open !== 'object') return null
  const { id, name } = open.remove
  return (
    <PasswordDialog
      title={access.removePasskeyOf(name)}
      text={access.removePasskeyText}
      action={access.remove}
      danger
      onPassword={async (proof) => {
        await call('removePasskey', { params: { id }, body: proof })
        await onDone()
      }}
      onClose={onClose}
    />
  )
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove(): void }) {
  const access = accessWords()
  const { name, created_at, last_used_at } = passkey
  return (
    <Thing
      icon="key"
      name={name}
      badge={access.factorOn}
      about={[
        access.created(formatMoment(created_at)),
        last_used_at ? access.used(formatMoment(last_used_at)) : access.neverUsed,
      ]}
    >
      <Button look="quiet" aria-label={access.removePasskeyOf(name)} onClick={onRemove}>
        {access.remove}
      </Button>
    </Thing>
  )
}
