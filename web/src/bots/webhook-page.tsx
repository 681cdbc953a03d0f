import type { BotUpdateRequest } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { CodeBlock } from '../messages/code.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { Section } from '../settings/section.js'
import { Button } from '../ui/button.js'
import { Checkbox } from '../ui/choice.js'
import { confirm } from '../ui/confirm.js'
import { TextField } from '../ui/field.js'
import { Form } from '../ui/form.js'
import { Secret } from '../ui/secret.js'
import { Tabs } from '../ui/tabs.js'
import { toast } from '../ui/toast.js'
import { botWords } from '../words/bots.js'
import type { BotPageProps } from './bot-page.js'
import { EventChecks } from './event-checks.js'
import { useSaving } from './use-saving.js'
import { VERIFY } from './verify-snippets.js'

/** Where the bot hears of things, of which, and how it knows that they come from here. */
export function WebhookPage(props: BotPageProps) {
  return (
    <>
      <Paused {...props} />
      <Outgoing {...props} />
      {props.bot.signing_secret && <SigningSecret {...props} />}
    </>
  )
}

/** Says that nothing is sent any more, and sends it. */
export function Paused({ bot, onChange }: BotPageProps) {
  const bots = botWords()
  const { paused_at } = bot.webhook
  if (!paused_at) return null
  async function resume() {
    const done = await attempt(async () => {
      await call('resumeWebhook', { params: { id: bot.id } })
      onChange((await call('getBot', { params: { id: bot.id } })).data)
    })
    if (done) toast(bots.resumed)
  }
  return (
    <section class="bots-note">
      <h2>{bots.pausedTitle}</h2>
      <p>{bots.pausedText(formatMoment(paused_at))}</p>
      <Button look="main" icon="play" onClick={() => void resume()}>
        {bots.resume}
      </Button>
    </section>
  )
}

function Outgoing({ bot, onChange }: BotPageProps) {
  const bots = botWords()
  const [change, setChange] = useState<BotUpdateRequest['webhook']>({})
  const { faults, busy, save } = useSaving(bot, onChange)
  const now = { ...bot.webhook, ...change }
  async function submit() {
    const url = change.outgoing_url?.trim()
    if (await save({ webhook: { ...change, ...(url === undefined ? {} : { outgoing_url: url }) } }))
      setChange({})
  }
  return (
    <Section title={bots.outgoing} text={bots.outgoingText}>
      <Form class="stack" onSubmit={submit}>
        <TextField
          label={bots.address}
          hint={bots.addressHint}
          type="url"
          placeholder="https://"
          value={now.outgoing_url}
          error={faults.outgoing_url}
          onText={(outgoing_url) => setChange({ ...change, outgoing_url })}
        />
        <EventChecks value={now.events} onChange={(events) => setChange({ ...change, events })} />
        <Checkbox
          label={bots.history}
          hint={bots.historyHint}
          checked={now.events_history_enabled}
          onChange={(on) => setChange({ ...change, events_history_enabled: on })}
        />
        <div class="settings-end">
          <Button look="main" type="submit" busy={busy} disabled={Object.keys(change).length === 0}>
            {words().common.save}
          </Button>
        </div>
      </Form>
    </Section>
  )
}

function SigningSecret({ bot, onChange }: BotPageProps) {
  const bots = botWords()
  const { common } = words()
  const [name, setName] = useState(VERIFY[0]?.name ?? '')
  const shown = VERIFY.find((one) => one.name === name)
  async function rotate() {
    const question = { title: bots.rotateTitle, text: bots.rotateText, action: bots.rotate }
    if (!(await confirm({ ...question, cancel: common.cancel }))) return
    const done = await attempt(async () => {
      const { data } = await call('rotateSigningSecret', { params: { id: bot.id }, body: {} })
      onChange(data)
    })
    if (done) toast(bots.rotated)
  }
  return (
    <Section title={bots.secretTitle} text={bots.secretText}>
      <Secret
        label={bots.secret}
        value={bot.signing_secret ?? ''}
        copyLabel={common.copy}
        copiedText={common.copied}
      />
      <div class="settings-end">
        <Button icon="retry" onClick={() => void rotate()}>
          {bots.rotate}
        </Button>
      </div>
      <div>
        <Tabs
          label={bots.verify}
          value={name}
          tabs={VERIFY.map((one) => ({ value: one.name, label: one.name }))}
          onChoose={setName}
        >
          {shown && <CodeBlock language={shown.language} text={shown.text} />}
        </Tabs>
      </div>
    </Section>
  )
}
