import type { BotUpdateRequest } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { Section } from '../settings/section.js'
import { ScopeFields } from '../tokens/scope-fields.js'
import { SecretDialog } from '../tokens/secret-dialog.js'
import { Button } from '../ui/button.js'
import { Checkbox } from '../ui/choice.js'
import { confirm } from '../ui/confirm.js'
import { TextAreaField, TextField } from '../ui/field.js'
import { Secret } from '../ui/secret.js'
import { botWords } from '../words/bots.js'
import type { BotPageProps } from './bot-page.js'
import { type FieldFaults, useSaving } from './use-saving.js'

type Client = NonNullable<BotUpdateRequest['oauth_client']>
type WholeClient = Pick<Client, 'client_id' | 'confidential' | 'redirect_uris' | 'scopes'>

/** Before it is turned on: it cannot be without an address to return to. */
const FIRST = { confidential: true, redirect_uris: [], scopes: ['profile:read'] }

/** Lets people allow the bot to act for them. */
export function SignInSection({ bot, onChange }: BotPageProps) {
  const bots = botWords()
  const { common } = words()
  const [begun, setBegun] = useState(false)
  const kept = bot.oauth_client ?? null
  const now = kept ?? (begun ? FIRST : null)
  const [change, setChange] = useState<Client>({})
  const [secret, setSecret] = useState<string | null>(null)
  const { faults, busy, save } = useSaving(bot, onChange)

  async function rotate() {
    const question = { title: bots.newClientSecret, text: bots.newClientSecretText }
    const action = bots.newClientSecret
    if (!(await confirm({ ...question, action, cancel: common.cancel, danger: true }))) return
    await attempt(async () => {
      const { data } = await call('rotateBotClientSecret', { params: { id: bot.id } })
      const { client_secret, ...rest } = data
      setSecret(client_secret)
      onChange(rest)
    })
  }
  async function submit() {
    const lines = change.redirect_uris?.map((line) => line.trim()).filter(Boolean)
    const oauth_client = { ...(kept ? {} : FIRST), ...change, ...(lines ? { redirect_uris: lines } : {}) }
    if (await save({ webhook: {}, oauth_client })) setChange({})
  }
  return (
    <Section title={bots.signInTitle} text={bots.signInText}>
      <Checkbox
        label={bots.signInOn}
        look="switch"
        checked={now !== null}
        disabled={busy}
        onChange={(on) => {
          setBegun(on)
          if (!on && kept) void save({ webhook: {}, oauth_client: null })
        }}
      />
      {now && (
        <>
          {kept && (
            <Secret
              label={bots.clientId}
              value={kept.client_id}
              copyLabel={common.copy}
              copiedText={common.copied}
            />
          )}
          <ClientFields
            client={{ ...now, ...change }}
            faults={faults}
            onChange={(more) => setChange({ ...change, ...more })}
          />
          <div class="settings-end">
            <Button
              look="main"
              busy={busy}
              disabled={Object.keys(change).length === 0}
              onClick={() => void submit()}
            >
              {common.save}
            </Button>
            {kept?.confidential && <Button onClick={() => void rotate()}>{bots.newClientSecret}</Button>}
          </div>
        </>
      )}
      {secret && <SecretDialog label={bots.clientSecret} value={secret} onClose={() => setSecret(null)} />}
    </Section>
  )
}

interface ClientFieldsProps {
  client: WholeClient
  faults: FieldFaults
  onChange(change: WholeClient): void
}

/** The id is the address of a document, which says the rest, or one of our own. */
const documentOf = ({ client_id }: WholeClient) =>
  client_id && !/^[0-9a-f]{32}$/.test(client_id) ? client_id : ''

/** Who the app is, where people come back to, and what they may allow. */
function ClientFields({ client, faults, onChange }: ClientFieldsProps) {
  const bots = botWords()
  const document = documentOf(client)
  const [offered, setOffered] = useState<readonly string[]>([])
  useEffect(() => {
    void attempt(async () => setOffered((await call('getSession')).data.scopes))
  }, [])
  return (
    <>
      <TextField
        label={bots.clientDocument}
        hint={bots.clientDocumentHint}
        type="url"
        value={document}
        error={faults.client_id}
        onText={(text) => onChange({ client_id: text.trim() || null })}
      />
      {document === '' && (
        <>
          <Checkbox
            label={bots.confidential}
            hint={bots.confidentialHint}
            checked={client.confidential ?? true}
            onChange={(confidential) => onChange({ confidential })}
          />
          <TextAreaField
            label={bots.redirects}
            hint={bots.redirectsHint}
            rows={2}
            value={(client.redirect_uris ?? []).join('\n')}
            error={faults.redirect_uris}
            onText={(text) => onChange({ redirect_uris: text.split('\n') })}
          />
        </>
      )}
      <ScopeFields
        offered={offered}
        chosen={client.scopes ?? []}
        error={faults.scopes}
        onChange={(scopes) => onChange({ scopes: [...scopes] })}
      />
    </>
  )
}
