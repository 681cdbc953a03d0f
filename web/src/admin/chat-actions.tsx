import type { Chat } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { readPeopleOf } from '../people/actions.js'
import { personAt } from '../people/names.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { Button, ToolButton } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { Dialog } from '../ui/dialog.js'
import { SelectField } from '../ui/field.js'
import { Menu } from '../ui/menu.js'
import { adminWords } from '../words/admin.js'
import { NameDialog } from './name-dialog.js'

/** Whether the creator of a chat is not in it any more. */
export const isLeft = ({ owner_id, member_ids }: Chat) => !member_ids.includes(owner_id)

interface ChatActionsProps {
  chat: Chat
  onChanged(): void
}

/** What owner and admins of the workspace do with a chat that nobody runs; the server refuses where somebody does. */
export function ChatActions({ chat, onChanged }: ChatActionsProps) {
  const admin = adminWords()
  const { common } = words()
  const [open, setOpen] = useState<'rename' | 'appoint' | null>(null)
  const { id, name, member_ids } = chat
  async function archive() {
    const question = { title: admin.archiveTitle(name), text: admin.archiveText(member_ids.length) }
    const answers = { action: admin.archive, cancel: common.cancel, danger: true }
    if (!(await confirm({ ...question, ...answers }))) return
    if (await attempt(() => call('archiveChat', { params: { id } }))) onChanged()
  }
  const close = () => {
    setOpen(null)
    onChanged()
  }
  const changes = [
    { label: admin.rename, icon: 'edit' as const, onSelect: () => setOpen('rename') },
    ...(member_ids.length > 0
      ? [{ label: admin.appoint, icon: 'people' as const, onSelect: () => setOpen('appoint') }]
      : []),
  ]
  return (
    <>
      <Menu
        label={admin.actionsFor(name)}
        align="end"
        groups={[
          changes,
          [{ label: admin.archive, icon: 'archive', danger: true, onSelect: () => void archive() }],
        ]}
        trigger={(props) => <ToolButton icon="more" label={admin.actionsFor(name)} {...props} />}
      />
      {open === 'rename' && (
        <NameDialog
          title={admin.renameOf(name)}
          name={name}
          maxLength={255}
          onClose={close}
          onSave={(next) => call('updateChat', { params: { id }, body: { chat: { name: next } } })}
        />
      )}
      {open === 'appoint' && <AppointDialog chat={chat} onClose={close} />}
    </>
  )
}

const OFFERED = 200

function AppointDialog({ chat, onClose }: { chat: Chat; onClose(): void }) {
  const admin = adminWords()
  const { common } = words()
  const offered = chat.member_ids.slice(0, OFFERED)
  const [userId, setUserId] = useState(String(offered[0]))
  const [people, setPeople] = useState<readonly { value: string; label: string }[] | null>(null)
  if (people === null)
    void attempt(async () => {
      await readPeopleOf(offered)
      setPeople(offered.map((id) => ({ value: String(id), label: personAt(id).name })))
    })
  async function appoint() {
    const params = { id: chat.id, user_id: Number(userId) }
    if (await attempt(() => call('setChatMemberRole', { params, body: { role: 'admin' } }))) onClose()
  }
  return (
    <Dialog
      title={admin.appointTitle(chat.name)}
      size="small"
      closeLabel={common.close}
      onClose={onClose}
      footer={
        <Button look="main" onClick={() => void appoint()}>
          {admin.appoint}
        </Button>
      }
    >
      <SelectField
        label={admin.roles.admin}
        hint={admin.appointHint}
        value={userId}
        options={people ?? []}
        onChoose={setUserId}
      />
    </Dialog>
  )
}
