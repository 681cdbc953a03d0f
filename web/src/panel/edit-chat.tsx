import type { ChatCard } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { apply } from '../store.js'
import { Button } from '../ui/button.js'
import { Checkbox } from '../ui/choice.js'
import { TextField } from '../ui/field.js'

/** The name, and whether everybody may join. */
export function EditChat({ card }: { card: ChatCard }) {
  const { panels, browse, chats, common } = words()
  const [name, setName] = useState(card.name)
  const [busy, setBusy] = useState(false)
  const may = card.may.includes('edit')
  useEffect(() => setName(card.name), [card.name])

  async function change(chat: { name?: string; public?: boolean }) {
    setBusy(true)
    await attempt(async () => {
      await call('updateChat', { params: { id: card.id }, body: { chat } })
      apply({ type: 'chat', chat: { ...card, ...chat } })
    })
    setBusy(false)
  }

  const changed = name.trim() !== card.name && name.trim() !== ''
  return (
    <form
      class="panel-part"
      onSubmit={(event) => {
        event.preventDefault()
        if (changed) void change({ name: name.trim() })
      }}
    >
      <TextField
        label={browse.name}
        hint={may ? undefined : common.notAllowed}
        disabled={!may}
        maxLength={255}
        value={name}
        error={name.trim() === '' ? browse.noName : undefined}
        onText={setName}
      />
      {changed && (
        <div>
          <Button look="main" type="submit" busy={busy}>
            {panels.rename}
          </Button>
        </div>
      )}
      <Checkbox
        look="switch"
        label={panels.open}
        hint={chats.kinds[card.kind === 'channel' ? 'channel' : 'chat'][card.public ? 'open' : 'closed']}
        checked={card.public}
        disabled={!may || busy}
        onChange={(open) => void change({ public: open })}
      />
    </form>
  )
}
