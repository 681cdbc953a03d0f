import type { BotToken } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { ListEnd } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { Section } from '../settings/section.js'
import { Thing, Things } from '../settings/things.js'
import { sumUpScopes } from '../tokens/scopes.js'
import { SecretDialog } from '../tokens/secret-dialog.js'
import { TokenDialog, type TokenInput } from '../tokens/token-dialog.js'
import { Button, ToolButton } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { toast } from '../ui/toast.js'
import { accessWords } from '../words/access.js'
import { botWords } from '../words/bots.js'
import type { BotPageProps } from './bot-page.js'

/** Tokens of the bot; the one without a name is its main token. */
export function TokensPage({ bot }: BotPageProps) {
  const bots = botWords()
  if (!bot.permissions?.recreate_token) return <p class="quiet">{bots.mayNotManage}</p>
  return <Tokens bot_id={bot.id} />
}

const nameOf = ({ name }: BotToken) => name ?? botWords().mainToken

function useTokens(id: number) {
  const [changes, setChanges] = useState(0)
  const pages = usePages(
    '',
    async (_, cursor, signal) => {
      const query = { limit: 50, ...(cursor ? { cursor } : {}) }
      const { data, meta } = await call('listBotTokens', { params: { id }, query, signal })
      return { items: data, next: nextOf(meta) }
    },
    (token: BotToken) => token.id,
    [changes],
  )
  return { ...pages, again: () => setChanges((count) => count + 1) }
}

/** What tokens of the bot may be given. */
function useOffered(id: number): readonly string[] {
  const [offered, setOffered] = useState<readonly string[]>([])
  useEffect(() => {
    void attempt(async () => {
      const { scopes } = await call('listBotScopes', { params: { id } })
      setOffered(scopes.map((scope) => scope.id))
    })
  }, [id])
  return offered
}

async function ask(title: string, text: string, action: string): Promise<boolean> {
  return confirm({ title, text, action, cancel: words().common.cancel, danger: true })
}

function Tokens({ bot_id: id }: { bot_id: number }) {
  const bots = botWords()
  const access = accessWords()
  const { common } = words()
  const pages = useTokens(id)
  const { items, again } = pages
  const offered = useOffered(id)
  const [open, setOpen] = useState<BotToken | 'new' | null>(null)
  const [secret, setSecret] = useState<{ label: string; value: string } | null>(null)

  async function save({ name, ...rest }: TokenInput) {
    if (open === 'new') {
      const { data } = await call('issueBotToken', { params: { id }, body: { name, ...rest } })
      setSecret({ label: name, value: data.token })
    } else if (open) {
      const body = { ...rest, ...(open.name === null ? {} : { name }) }
      await call('updateBotToken', { params: { id, token_id: open.id }, body })
    }
    setOpen(null)
    again()
  }
  async function reissue(token: BotToken) {
    if (!(await ask(bots.reissueTitle(nameOf(token)), bots.reissueText, bots.reissue))) return
    await attempt(async () => {
      const { data } = await call('reissueBotToken', { params: { id, token_id: token.id } })
      setSecret({ label: nameOf(token), value: data.token })
      again()
    })
  }
  async function revoke(token: BotToken) {
    if (!(await ask(access.revokeTitle(nameOf(token)), access.revokeText, access.revoke))) return
    if (!(await attempt(() => call('revokeBotToken', { params: { id, token_id: token.id } })))) return
    toast(access.revoked)
    again()
  }
  return (
    <Section title={bots.pages.tokens} text={bots.tokensText}>
      {items?.length === 0 && <p class="quiet">{bots.noTokens}</p>}
      {items && items.length > 0 && (
        <Things>
          {items.map((token) => (
            <TokenLine
              key={token.id}
              token={token}
              onEdit={() => setOpen(token)}
              onReissue={() => void reissue(token)}
              onRevoke={() => void revoke(token)}
            />
          ))}
        </Things>
      )}
      <ListEnd {...pages} />
      <div class="settings-end">
        <Button look="main" icon="plus" onClick={() => setOpen('new')}>
          {bots.newToken}
        </Button>
      </div>
      {open && (
        <TokenDialog
          title={open === 'new' ? bots.newToken : nameOf(open)}
          action={open === 'new' ? access.create : common.save}
          offered={offered}
          {...(open === 'new' ? {} : before(open))}
          onSave={save}
          onClose={() => setOpen(null)}
        />
      )}
      {secret && <SecretDialog {...secret} onClose={() => setSecret(null)} />}
    </Section>
  )
}

function before({ name, scopes, limits = {} }: BotToken) {
  return { name: name ?? '', nameless: name === null, scopes, limits }
}

interface TokenLineProps {
  token: BotToken
  onEdit(): void
  onReissue(): void
  onRevoke(): void
}

function TokenLine({ token, onEdit, onReissue, onRevoke }: TokenLineProps) {
  const bots = botWords()
  const access = accessWords()
  const name = nameOf(token)
  return (
    <Thing
      icon="key"
      name={name}
      badge={Object.keys(token.limits ?? {}).length > 0 ? bots.limits : undefined}
      about={[
        token.token,
        token.last_used_at ? access.used(formatMoment(token.last_used_at)) : access.neverUsed,
        sumUpScopes(token.scopes),
      ]}
    >
      <ToolButton icon="edit" label={access.editToken(name)} onClick={onEdit} />
      <ToolButton icon="retry" label={bots.reissueOf(name)} onClick={onReissue} />
      <ToolButton icon="trash" label={access.revokeOf(name)} onClick={onRevoke} />
    </Thing>
  )
}
