import type { Button as BotButton, TimelineMessage } from '@parley/contract'
import { useState } from 'preact/hooks'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
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

interface ChoiceProps {
  message_id: number
  button: BotButton
  row: number
  column: number
}

function Choice({ message_id, button, row, column }: ChoiceProps) {
  const [busy, setBusy] = useState(false)
  const { messages, common } = words()

  async function press() {
    if (button.url) {
      const question = {
        title: messages.openLink,
        text: button.url,
        action: messages.open,
        cancel: common.cancel,
      }
      if (await confirm(question)) open(button.url, '_blank', 'noopener,noreferrer')
      return
    }
    setBusy(true)
    try {
      await call('pressButton', { params: { id: message_id }, body: { row, column } })
    } catch {
      toast(common.failed, { look: 'bad' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button
      look={row + column === 0 ? 'main' : 'plain'}
      busy={busy}
      {...(button.url ? { icon: 'external' as const } : {})}
      onClick={() => void press()}
    >
      {button.text}
    </Button>
  )
}
