import { useState } from 'preact/hooks'
import { call } from '../platform/api.js'
import { navigate } from '../platform/navigate.js'
import { refusalText } from '../platform/refusal.js'
import { Section } from '../settings/section.js'
import { SecretDialog } from '../tokens/secret-dialog.js'
import { Button } from '../ui/button.js'
import { Checkbox } from '../ui/choice.js'
import { Form } from '../ui/form.js'
import { toast } from '../ui/toast.js'
import { botWords } from '../words/bots.js'
import { type Draft, SettingFields, wordsIn } from './setting-fields.js'
import { type FieldFaults, fieldFaults } from './use-saving.js'

/** What suits most bots: it hears commands and never itself, and its creator decides where it is. */
const USUAL: Draft = {
  name: '',
  nickname: '',
  trigger_on: 'commands',
  commands: '',
  unfurl_domains: '',
  who_can_add: 'creator',
  can_edit: [],
  ignore_self_messages: true,
}

function bodyOf({ nickname, commands, unfurl_domains, ...rest }: Draft, single_chat: boolean) {
  return {
    webhook: {
      ...rest,
      name: rest.name.trim(),
      single_chat,
      ...(nickname.trim() ? { nickname: nickname.trim() } : {}),
      ...(rest.trigger_on === 'commands' ? { commands: wordsIn(commands) } : {}),
      ...(rest.trigger_on === 'unfurl' ? { unfurl_domains: wordsIn(unfurl_domains) } : {}),
    },
  }
}

export function NewBot() {
  const bots = botWords()
  const [draft, setDraft] = useState(USUAL)
  const [single, setSingle] = useState(false)
  const [faults, setFaults] = useState<FieldFaults>({})
  const [busy, setBusy] = useState(false)
  const [made, setMade] = useState<{ id: number; token: string } | null>(null)

  async function create() {
    if (draft.name.trim() === '') return setFaults({ name: bots.faults.blank })
    setBusy(true)
    setFaults({})
    try {
      const { data } = await call('createBot', { body: bodyOf(draft, single) })
      setMade({ id: data.id, token: 'access_token' in data ? data.access_token : '' })
    } catch (error) {
      const found = fieldFaults(error)
      if (found) setFaults(found)
      else toast(refusalText(error), { look: 'bad' })
    }
    setBusy(false)
  }
  return (
    <Section title={bots.newBot} text={bots.noneText}>
      <Form class="stack" onSubmit={create}>
        <SettingFields
          value={draft}
          faults={faults}
          onChange={(change) => {
            setDraft({ ...draft, ...change })
            setFaults({})
          }}
        />
        <Checkbox label={bots.singleChat} hint={bots.singleChatHint} checked={single} onChange={setSingle} />
        <div class="settings-end">
          <Button look="main" type="submit" busy={busy}>
            {bots.create}
          </Button>
        </div>
      </Form>
      {made && (
        <SecretDialog
          label={bots.mainToken}
          value={made.token}
          onClose={() => {
            // Whoever went back is at another address already.
            if (location.pathname === '/bots/new') navigate(`/bots/${made.id}/webhook`)
          }}
        />
      )}
    </Section>
  )
}
