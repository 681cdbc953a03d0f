import type { GroupTag, PersonCard } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { Welcome } from '../frame/welcome.js'
import { PickPeople } from '../people/pick-people.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { state } from '../store.js'
import { readChat } from '../sync.js'
import { Button } from '../ui/button.js'
import { RadioGroup } from '../ui/choice.js'
import { Dialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'
import { FormEnd } from '../ui/form-end.js'
import { PickTags } from './pick-tags.js'
import './new-chat.css'
import { Form } from '../ui/form.js'

/** The address of the dialog that makes a chat or a channel. */
export function NewChatRoute() {
  const { chats, common } = words()
  const may = state.session.value?.may.includes('chats.create') ?? false
  const close = () => {
    // Whoever went back is at another address already.
    if (location.pathname === '/new') navigate('/', 'replace')
  }
  return (
    <>
      <Welcome />
      <Dialog title={chats.newChat} closeLabel={common.close} onClose={close}>
        {may ? <NewChatForm onCancel={close} /> : <p>{common.notAllowed}</p>}
      </Dialog>
    </>
  )
}

function NewChatForm({ onCancel }: { onCancel(): void }) {
  const { browse, common } = words()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<'conversation' | 'channel'>('conversation')
  const [openness, setOpenness] = useState<'open' | 'closed'>('closed')
  const [people, setPeople] = useState<readonly PersonCard[]>([])
  const [tags, setTags] = useState<readonly GroupTag[]>([])
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const me = state.session.value?.user.id ?? 0

  async function create() {
    setFault(name.trim() === '' ? browse.noName : undefined)
    if (name.trim() === '') return
    setBusy(true)
    await attempt(async () => {
      const chat = {
        name: name.trim(),
        channel: kind === 'channel',
        public: openness === 'open',
        member_ids: people.map(({ id }) => id),
        group_tag_ids: tags.map(({ id }) => id),
      }
      const { data } = await call('createChat', { body: { chat } })
      await readChat(data.id)
      navigate(`/chats/${data.id}`, 'replace')
    })
    setBusy(false)
  }

  return (
    <Form class="new-chat" onSubmit={create}>
      <TextField label={browse.name} autofocus maxLength={255} value={name} error={fault} onText={setName} />
      <div class="new-chat-pair">
        <RadioGroup<'conversation' | 'channel'>
          label={browse.kind}
          value={kind}
          options={(['conversation', 'channel'] as const).map((value) => ({
            value,
            label: browse.kinds[value],
            hint: browse.kindHints[value],
          }))}
          onChoose={setKind}
        />
        <RadioGroup<'open' | 'closed'>
          label={browse.openness}
          value={openness}
          options={[
            { value: 'closed', label: browse.closed },
            { value: 'open', label: browse.open },
          ]}
          onChoose={setOpenness}
        />
      </div>
      <PickPeople label={browse.members} chosen={people} without={new Set([me])} onChange={setPeople} />
      <PickTags label={browse.tags} chosen={tags} onChange={setTags} />
      <FormEnd>
        <Button onClick={onCancel}>{common.cancel}</Button>
        <Button look="main" type="submit" busy={busy}>
          {browse.create}
        </Button>
      </FormEnd>
    </Form>
  )
}
