import type { ChatCard } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { TextAreaField } from '../ui/field.js'

interface DescribeChatProps {
  card: ChatCard
  /** As the server had it last. */
  description: string
}

/** What the chat is for: a text, and a field for those who may change it. */
export function DescribeChat({ card, description }: DescribeChatProps) {
  const { panels, common } = words()
  const [known, setKnown] = useState(description)
  const [text, setText] = useState(description)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    setKnown(description)
    setText((typed) => (typed.trim() === known ? description : typed))
  }, [description])

  async function save() {
    setBusy(true)
    await attempt(async () => {
      const description = text.trim() || null
      await call('updateChat', { params: { id: card.id }, body: { chat: { description } } })
      setKnown(description ?? '')
      setText(description ?? '')
    })
    setBusy(false)
  }

  if (!card.may.includes('edit')) return known ? <p class="panel-part">{known}</p> : null
  return (
    <form
      class="panel-part"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextAreaField label={panels.description} rows={3} maxLength={1024} value={text} onText={setText} />
      {text.trim() !== known && (
        <div>
          <Button look="main" type="submit" busy={busy}>
            {common.save}
          </Button>
        </div>
      )}
    </form>
  )
}
