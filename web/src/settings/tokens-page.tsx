import type { AccessTokenInfo, TokenLimits } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { ListEnd } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { useRead } from '../platform/use-read.js'
import { sumUpScopes } from '../tokens/scopes.js'
import { SecretDialog } from '../tokens/secret-dialog.js'
import { TokenDialog } from '../tokens/token-dialog.js'
import { Button, ToolButton } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { toast } from '../ui/toast.js'
import { accessWords } from '../words/access.js'
import { Section } from './section.js'
import { Thing, Things } from './things.js'

async function readTokens(_: string, cursor: string | null, signal: AbortSignal) {
  const query = { limit: 50, ...(cursor ? { cursor } : {}) }
  const { data, meta } = await call('listPersonalTokens', { query, signal })
  return { items: data, next: nextOf(meta) }
}

type Input = { name: string; scopes: AccessTokenInfo['scopes']; limits?: TokenLimits }

/** What own tokens may be given, and whether one may make any. */
async function readRights() {
  const { data } = await call('getSession')
  return { scopes: data.scopes, mayCreate: data.workspace.may_create_personal_tokens }
}

/** Own tokens: named, with chosen rights, revoked here. */
export function TokensPage() {
  const [changes, setChanges] = useState(0)
  const pages = usePages('', readTokens, ({ id }) => id, [changes])
  const { items } = pages
  const { read: rights } = useRead(readRights)
  const [open, setOpen] = useState<AccessTokenInfo | 'new' | null>(null)
  const [secret, setSecret] = useState<{ label: string; value: string } | null>(null)
  const access = accessWords()
  const { common } = words()

  async function save(input: Input) {
    if (open === 'new') {
      const { data } = await call('createPersonalToken', { body: input })
      setSecret({ label: input.name, value: data.access_token })
    } else if (open) await call('updatePersonalToken', { params: { id: open.id }, body: input })
    setOpen(null)
    setChanges(changes + 1)
  }
  async function revoke({ id, name }: AccessTokenInfo) {
    const title = access.revokeTitle(name ?? access.noName)
    const question = { title, text: access.revokeText, action: access.revoke, cancel: common.cancel }
    if (!(await confirm({ ...question, danger: true }))) return
    if (!(await attempt(() => call('deletePersonalToken', { params: { id } })))) return
    toast(access.revoked)
    setChanges(changes + 1)
  }

  return (
    <Section title={access.tokensTitle} text={access.tokensText}>
      {items?.length === 0 && <p class="quiet">{access.noTokens}</p>}
      {items && items.length > 0 && (
        <Things>
          {items.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              onEdit={() => setOpen(token)}
              onRevoke={() => void revoke(token)}
            />
          ))}
        </Things>
      )}
      <ListEnd {...pages} />
      {rights && !rights.mayCreate && <p class="quiet">{access.tokensByAdmins}</p>}
      {rights?.mayCreate && (
        <div class="settings-end">
          <Button look="main" icon="plus" onClick={() => setOpen('new')}>
            {access.newToken}
          </Button>
        </div>
      )}
      {open && rights && (
        <TokenDialog
          title={open === 'new' ? access.newToken : (open.name ?? access.noName)}
          action={open === 'new' ? access.create : common.save}
          offered={rights.scopes}
          {...(open === 'new'
            ? {}
            : { name: open.name ?? '', scopes: open.scopes, limits: open.limits ?? {} })}
          onSave={(input) => save(input as Input)}
          onClose={() => setOpen(null)}
        />
      )}
      {secret && <SecretDialog {...secret} onClose={() => setSecret(null)} />}
    </Section>
  )
}

interface TokenRowProps {
  token: AccessTokenInfo
  onEdit(): void
  onRevoke(): void
}

function TokenRow({ token, onEdit, onRevoke }: TokenRowProps) {
  const access = accessWords()
  const name = token.name ?? access.noName
  return (
    <Thing
      icon="key"
      name={name}
      about={[
        token.token,
        access.created(formatMoment(token.created_at)),
        token.last_used_at ? access.used(formatMoment(token.last_used_at)) : access.neverUsed,
        sumUpScopes(token.scopes),
      ]}
    >
      <ToolButton icon="edit" label={access.editToken(name)} onClick={onEdit} />
      <Button look="quiet" aria-label={access.revokeOf(name)} onClick={onRevoke}>
        {access.revoke}
      </Button>
    </Thing>
  )
}
