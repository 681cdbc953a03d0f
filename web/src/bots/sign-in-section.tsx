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
import { TextAreaField } from '../ui/field.js'
import { Secret } from '../ui/secret.js'
import { botWords } from '../words/bots.js'
import type { BotPageProps } from './bot-page.js'
import { useSaving } from './use-saving.js'

type Client = NonNullable<BotUpdateRequest['oauth_client']>

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
  const [offered, setOffered] = useState<readonly string[]>([])
  const { faults, busy, save } = useSaving(bot, onChange)
  useEffect(() => {
    void attempt(async () => setOffered((await call('getSession')).data.scopes))
  }, [])

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
          <Checkbox
            label={bots.confidential}
            hint={bots.confidentialHint}
            checked={change.confidential ?? now.confidential}
            onChange={(confidential) => setChange({ ...change, confidential })}
          />
          <TextAreaField
            label={bots.redirects}
            hint={bots.redirectsHint}
            rows={2}
            value={(change.redirect_uris ?? now.redirect_uris).join('\n')}
            error={faults.redirect_uris}
            onText={(text) => setChange({ ...change, redirect_uris: text.split('\n') })}
          />
          <ScopeFields
            offered={offered}
            chosen={change.scopes ?? now.scopes}
            error={faults.scopes}
            onChange={(scopes) => setChange({ ...change, scopes: [...scopes] })}
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
