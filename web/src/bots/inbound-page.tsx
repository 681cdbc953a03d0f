import type { BotUpdateRequest } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { Section } from '../settings/section.js'
import { Button } from '../ui/button.js'
import { Checkbox } from '../ui/choice.js'
import { confirm } from '../ui/confirm.js'
import { SelectField, TextAreaField, TextField } from '../ui/field.js'
import { Form } from '../ui/form.js'
import { Secret } from '../ui/secret.js'
import { botWords } from '../words/bots.js'
import type { BotPageProps } from './bot-page.js'
import { TemplateTrial } from './template-trial.js'
import { useSaving } from './use-saving.js'

type Change = BotUpdateRequest['webhook']

/** The address that others post to, and what becomes of what they post. */
export function InboundPage({ bot, onChange }: BotPageProps) {
  const bots = botWords()
  const [change, setChange] = useState<Change>({})
  const { faults, busy, save } = useSaving(bot, onChange)
  const now = { ...bot.webhook, ...change }
  async function submit() {
    if (await save({ webhook: change })) setChange({})
  }
  return (
    <>
      <Section title={bots.inboundTitle} text={bots.inboundText}>
        <Form class="stack" onSubmit={submit}>
          <SelectField
            label={bots.kind}
            value={now.kind ?? 'off'}
            options={(Object.keys(bots.kindNames) as (keyof typeof bots.kindNames)[]).map((kind) => ({
              value: kind,
              label: bots.kindNames[kind],
            }))}
            onChoose={(kind) =>
              setChange({ ...change, kind: kind === 'off' ? null : (kind as NonNullable<Change['kind']>) })
            }
          />
          <InboundUrl bot={bot} onChange={onChange} />
          {now.kind === 'simple' && (
            <Template now={now} error={faults.template} onSet={(more) => setChange({ ...change, ...more })} />
          )}
          {now.kind && (
            <Checkbox
              label={bots.linkPreviews}
              checked={now.link_preview_enabled}
              onChange={(on) => setChange({ ...change, link_preview_enabled: on })}
            />
          )}
          <div class="settings-end">
            <Button look="main" type="submit" busy={busy} disabled={Object.keys(change).length === 0}>
              {words().common.save}
            </Button>
          </div>
        </Form>
      </Section>
      {now.kind === 'simple' && (
        <TemplateTrial bot={bot} template={now.template} template_engine={now.template_engine} />
      )}
    </>
  )
}

function InboundUrl({ bot, onChange }: BotPageProps) {
  const bots = botWords()
  const { common } = words()
  const url = bot.webhook.inbound_url
  if (!url) return null
  async function rotate() {
    const question = { title: bots.newUrlTitle, text: bots.newUrlText, action: bots.newUrl }
    if (!(await confirm({ ...question, cancel: common.cancel, danger: true }))) return
    await attempt(async () => onChange((await call('rotateInboundUrl', { params: { id: bot.id } })).data))
  }
  return (
    <>
      <Secret label={bots.inboundUrl} value={url} copyLabel={common.copy} copiedText={common.copied} />
      <div class="settings-end">
        <Button icon="retry" onClick={() => void rotate()}>
          {bots.newUrl}
        </Button>
      </div>
    </>
  )
}

interface TemplateProps {
  now: Required<Pick<Change, 'template' | 'template_engine' | 'challenge_key'>>
  error: string | undefined
  onSet(change: Change): void
}

function Template({ now, error, onSet }: TemplateProps) {
  const bots = botWords()
  return (
    <>
      <SelectField
        label={bots.engine}
        value={now.template_engine}
        options={[
          { value: 'liquid', label: 'Liquid' },
          { value: 'mustache', label: 'Mustache' },
        ]}
        onChoose={(engine) => onSet({ template_engine: engine as 'liquid' | 'mustache' })}
      />
      <div class="bots-code">
        <TextAreaField
          label={bots.template}
          hint={bots.templateHint}
          rows={6}
          value={now.template}
          error={error}
          onText={(template) => onSet({ template })}
        />
      </div>
      <TextField
        label={bots.challengeKey}
        hint={bots.challengeKeyHint}
        value={now.challenge_key}
        onText={(challenge_key) => onSet({ challenge_key })}
      />
    </>
  )
}
