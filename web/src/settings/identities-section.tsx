import type { OwnSignIn } from '@parley/contract'
import { useState } from 'preact/hooks'
import { NotRead } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { Button } from '../ui/button.js'
import { accessWords } from '../words/access.js'
import { PasswordDialog } from './password-dialog.js'
import { Section } from './section.js'
import { Thing, Things } from './things.js'
import { backHere, leaveFor, useOwnSignIn } from './use-own-sign-in.js'

type Linked = OwnSignIn['identities'][number]
type Open = { link: { slug: string; name: string } } | { unlink: Linked }

/** Identity providers that know the person, and those that could; nothing where the workspace has none. */
export function IdentitiesSection() {
  const access = accessWords()
  const { own, readAgain: read, waiting } = useOwnSignIn()
  const [open, setOpen] = useState<Open | null>(null)
  if (!own) return waiting.failure === null ? null : <NotRead {...waiting} />
  if (own.identities.length + own.providers.length === 0) return null
  return (
    <Section title={access.identitiesTitle} text={access.identitiesText}>
      <Things>
        {own.identities.map((linked) => (
          <Thing
            key={linked.slug}
            icon="key"
            name={linked.name}
            badge={access.linked}
            about={[
              access.linkedSince(formatMoment(linked.created_at)),
              !linked.enabled && access.providerOff,
              isLast(own, linked) && access.onlyWay,
            ]}
          >
            {!isLast(own, linked) && (
              <Button
                look="quiet"
                aria-label={access.unlinkOf(linked.name)}
                onClick={() => setOpen({ unlink: linked })}
              >
                {access.unlink}
              </Button>
            )}
          </Thing>
        ))}
        {own.providers.map(({ slug, name }) => (
          <Thing key={slug} icon="key" name={name} about={[access.notLinked]}>
            <Button aria-label={access.linkOf(name)} onClick={() => setOpen({ link: { slug, name } })}>
              {access.link}
            </Button>
          </Thing>
        ))}
      </Things>
      {open && (
        <ChangeDialog
          open={open}
          onClose={() => setOpen(null)}
          onUnlinked={() => {
            setOpen(null)
            read()
          }}
        />
      )}
    </Section>
  )
}

/** The server refuses to unlink the only way to sign in. */
function isLast({ password, identities }: OwnSignIn, { slug }: Linked): boolean {
  return !password && !identities.some((one) => one.enabled && one.slug !== slug)
}

interface ChangeProps {
  open: Open
  onClose(): void
  onUnlinked(): void
}

function ChangeDialog({ open, onClose, onUnlinked }: ChangeProps) {
  const access = accessWords()
  if ('link' in open)
    return (
      <PasswordDialog
        title={access.linkOf(open.link.name)}
        text={access.linkText(open.link.name)}
        action={access.prove}
        onPassword={async (proof) => {
          const body = { slug: open.link.slug, to: backHere(), ...proof }
          leaveFor((await call('linkIdentity', { body })).data.url)
        }}
        onClose={onClose}
      />
    )
  const { provider_id, name } = open.unlink
  return (
    <PasswordDialog
      title={access.unlinkOf(name)}
      text={access.unlinkText}
      action={access.unlink}
      danger
      onPassword={async (proof) => {
        await call('unlinkIdentity', { params: { provider_id }, body: proof })
        onUnlinked()
      }}
      onClose={onClose}
    />
  )
}
