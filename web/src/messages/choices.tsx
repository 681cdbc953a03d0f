import type { Button as BotButton, TimelineMessage } from '@parley/contract'
import { useState } from 'preact/hooks'
import { openLink, type Pressed, pressButton } from '../forms/actions.js'
import { Button } from '../ui/button.js'
import { toast } from '../ui/toast.js'
import './choices.css'

/** Buttons that a bot put below its message. */
export function Choices({
  message,
  rows,
}: {
  message: TimelineMessage
  rows: readonly (readonly BotButton[])[]
}) {
  return (
    <div class="choices">
      {rows.map((row, index) => (
        <div key={index} class="choices-row">
          {row.map((button, at) => (
            <Choice key={at} message_id={message.id} button={button} row={index} column={at} />
          ))}
        </div>
      ))}
    </div>
  )
}

function Choice(pressed: Pressed) {
  const { button, row, column } = pressed
  const [busy, setBusy] = useState(false)

  async function press() {
    if (button.url) return openLink(button.url)
    setBusy(true)
    const refusal = await pressButton(pressed)
    setBusy(false)
    if (refusal !== null) toast(refusal, { look: 'bad' })
  }

  return (
    <Button
      look={row + column === 0 ? 'main' : 'plain'}
      busy={busy}
      {...(button.url ? { icon: 'external' as const } : {})}
      onClick={() => void press()}
    >
      <span class="choice-text">{button.text}</span>
    </Button>
  )
}
