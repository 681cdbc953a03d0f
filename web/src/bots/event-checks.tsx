import type { BotEventName } from '@parley/contract'
import { Checkbox } from '../ui/choice.js'
import { botWords } from '../words/bots.js'

interface EventChecksProps {
  /** Presses of buttons go to the address of the bot alone. */
  further?: boolean
  value: readonly BotEventName[]
  onChange(value: BotEventName[]): void
}

/** Events that are sent to an address. */
export function EventChecks({ further = false, value, onChange }: EventChecksProps) {
  const bots = botWords()
  const unasked = further ? ['view_submit', 'button_click'] : ['view_submit']
  const names = Object.keys(bots.eventNames).filter((name) => !unasked.includes(name)) as BotEventName[]
  return (
    <fieldset class="radios">
      <legend class="field-label">{bots.events}</legend>
      <p class="field-hint">{further ? bots.furtherEventsHint : bots.eventsHint}</p>
      <div class="bots-checks">
        {names.map((name) => (
          <Checkbox
            key={name}
            label={bots.eventNames[name]}
            checked={value.includes(name)}
            onChange={(on) => onChange(names.filter((one) => (one === name ? on : value.includes(one))))}
          />
        ))}
      </div>
    </fieldset>
  )
}
