import type { BotResponse } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { Section } from '../settings/section.js'
import { Button } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { Form } from '../ui/form.js'
import { toast } from '../ui/toast.js'
import { botWords } from '../words/bots.js'
import type { BotPageProps } from './bot-page.js'
import { PromoSection } from './promo-section.js'
import { type Draft, SettingFields, wordsIn } from './setting-fields.js'
import { SignInSection } from './sign-in-section.js'
import { useSaving } from './use-saving.js'

function draftOf({ webhook: now }: BotResponse): Draft {
  return {
    name: now.name,
    nickname: now.nickname,
    trigger_on: now.trigger_on,
    commands: now.commands.join(' '),
    unfurl_domains: (now.unfurl_domains ?? []).join(' '),
    who_can_add: now.who_can_add,
    can_edit: now.can_edit,
    ignore_self_messages: now.ignore_self_messages,
  }
}

/** Only what was changed is sent: owners of chats may not send the rest. */
function changesOf(change: Partial<Draft>) {
  const { commands, unfurl_domains, ...rest } = change
  return {
    ...rest,
    ...(commands === undefined ? {} : { commands: wordsIn(commands) }),
    ...(unfurl_domains === undefined ? {} : { unfurl_domains: wordsIn(unfurl_domains) }),
  }
}

export function SettingsPage({ bot, onChange }: BotPageProps) {
  const bots = botWords()
  const [change, setChange] = useState<Partial<Draft>>({})
  const { faults, busy, save } = useSaving(bot, onChange)
  const manages = bot.permissions?.destroy === true

  async function submit() {
    if (await save({ webhook: changesOf(change) })) setChange({})
  }
  return (
    <>
      <Section title={bots.pages.settings}>
        <Form class="stack" onSubmit={submit}>
          <SettingFields
            value={{ ...draftOf(bot), ...change }}
            faults={faults}
            manages={manages}
            onChange={(more) => setChange({ ...change, ...more })}
          />
          <div class="settings-end">
            <Button look="main" type="submit" busy={busy} disabled={Object.keys(change).length === 0}>
              {words().common.save}
            </Button>
          </div>
        </Form>
      </Section>
      {manages && <SignInSection bot={bot} onChange={onChange} />}
      {manages && bot.oauth_client && <PromoSection bot={bot} onChange={onChange} />}
      {manages && <DeleteSection bot={bot} />}
    </>
  )
}

function DeleteSection({ bot }: { bot: BotResponse }) {
  const bots = botWords()
  async function remove() {
    const title = bots.deleteAsk(bot.webhook.name)
    const cancel = words().common.cancel
    if (!(await confirm({ title, text: bots.deleteText, action: bots.deleteBot, cancel, danger: true })))
      return
    if (!(await attempt(() => call('deleteBot', { params: { id: bot.id } })))) return
    toast(bots.deleted)
    navigate('/bots')
  }
  return (
    <Section title={bots.deleteTitle} text={bots.deleteText}>
      <div class="settings-end">
        <Button look="danger" icon="trash" onClick={() => void remove()}>
          {bots.deleteBot}
        </Button>
      </div>
    </Section>
  )
}
