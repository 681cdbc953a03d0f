import { useState } from 'preact/hooks'
import { words } from '../platform/i18n.js'
import { Section } from '../settings/section.js'
import { Button } from '../ui/button.js'
import { Checkbox } from '../ui/choice.js'
import { TextAreaField } from '../ui/field.js'
import { botWords } from '../words/bots.js'
import type { BotPageProps } from './bot-page.js'
import { useSaving } from './use-saving.js'

/** The page of the bot in the catalogue. */
export function PromoSection({ bot, onChange }: BotPageProps) {
  const bots = botWords()
  const [change, setChange] = useState<{ description?: string; published?: boolean }>({})
  const { faults, busy, save } = useSaving(bot, onChange)
  async function submit() {
    if (await save({ webhook: {}, promo: change })) setChange({})
  }
  return (
    <Section title={bots.catalogueTitle} text={bots.catalogueText}>
      <TextAreaField
        label={bots.description}
        rows={4}
        maxLength={5000}
        value={change.description ?? bot.promo?.description ?? ''}
        error={faults.description}
        onText={(description) => setChange({ ...change, description })}
      />
      <Checkbox
        label={bots.published}
        checked={change.published ?? bot.promo?.published ?? false}
        onChange={(published) => setChange({ ...change, published })}
      />
      <div class="settings-end">
        <Button
          look="main"
          busy={busy}
          disabled={Object.keys(change).length === 0}
          onClick={() => void submit()}
        >
          {words().common.save}
        </Button>
      </div>
    </Section>
  )
}
