import type { PersonCard, Task, TaskKind } from '@parley/contract'
import { useState } from 'preact/hooks'
import { titleOf } from '../chats/entry.js'
import { attempt } from '../frame/attempt.js'
import { PickPeople } from '../people/pick-people.js'
import { call } from '../platform/api.js'
import { formatTime } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { Button } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { SelectField, TextAreaField, TextField } from '../ui/field.js'
import { Form } from '../ui/form.js'
import { FormEnd } from '../ui/form-end.js'
import { dueDay, dueFrom, mayChange } from './state.js'

interface TaskFormProps {
  task: Task | null
  performers: readonly PersonCard[]
  onClose(): void
  onChanged(): void
}

const choices = (names: Readonly<Record<string | number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

/** The chat that a new task belongs to, or none. */
function ChatField({ value, onChoose }: { value: string; onChoose(chat: string): void }) {
  const { tasks: say } = words()
  const chats = [...state.chats.value.values()].filter(({ my_role, kind }) => my_role && kind !== 'thread')
  const options = [
    { value: '', label: say.noChat },
    ...chats.map((card) => ({ value: String(card.id), label: titleOf(card) })),
  ]
  return (
    <SelectField label={say.chat} hint={say.chatHint} value={value} options={options} onChoose={onChoose} />
  )
}

function confirmDeletion() {
  const { tasks: say, common } = words()
  const question = { title: say.deleteTitle, text: say.deleteText, action: common.delete }
  return confirm({ ...question, cancel: common.cancel, danger: true })
}

export function TaskForm({ task, performers, onClose, onChanged }: TaskFormProps) {
  const { tasks: say, common } = words()
  const [content, setContent] = useState(task?.content ?? '')
  const [kind, setKind] = useState<TaskKind>(task?.kind ?? 'reminder')
  const [date, setDate] = useState((task && dueDay(task)) ?? '')
  const [time, setTime] = useState(task?.due_at && !task.all_day ? formatTime(task.due_at) : '')
  const [priority, setPriority] = useState(String(task?.priority ?? 1))
  const [people, setPeople] = useState(performers)
  const [chat, setChat] = useState(String(task?.chat_id ?? ''))
  const [busy, setBusy] = useState(false)
  const mine = task === null || mayChange(task, state.session.value?.user.id)

  async function change(run: () => Promise<unknown>) {
    setBusy(true)
    if (await attempt(run)) onChanged()
    setBusy(false)
  }
  function save() {
    const due_at = dueFrom(date, time)
    const fields = {
      kind,
      priority: Number(priority) as 1 | 2 | 3,
      performer_ids: people.map(({ id }) => id),
      ...(content.trim() === '' ? {} : { content: content.trim() }),
      ...(due_at ? { due_at, all_day: time === '' } : task?.due_at ? { due_at: '' } : {}),
    }
    return change(() =>
      task
        ? call('updateTask', { params: { id: task.id }, body: { task: fields } })
        : call('createTask', { body: { task: { ...fields, ...(chat ? { chat_id: Number(chat) } : {}) } } }),
    )
  }
  async function remove(id: number) {
    if (await confirmDeletion()) await change(() => call('deleteTask', { params: { id } }))
  }

  return (
    <Form class="task-form" onSubmit={save}>
      <fieldset class="task-form" disabled={!mine}>
        <TextAreaField label={say.what} rows={2} value={content} onText={setContent} />
        <div class="task-pair">
          <TextField label={say.date} type="date" value={date} onText={setDate} />
          <TextField label={say.time} hint={say.timeHint} type="time" value={time} onText={setTime} />
        </div>
        <div class="task-pair">
          <SelectField
            label={say.kind}
            value={kind}
            options={choices(say.kinds)}
            onChoose={(value) => setKind(value as TaskKind)}
          />
          <SelectField
            label={say.priority}
            value={priority}
            options={choices(say.priorities)}
            onChoose={setPriority}
          />
        </div>
        <PickPeople label={say.performers} chosen={people} onChange={setPeople} />
        {people.length === 0 && <p class="quiet">{say.performersMissing}</p>}
        {!task && <ChatField value={chat} onChoose={setChat} />}
      </fieldset>
      {!mine && <p class="quiet">{say.notMine}</p>}
      <FormEnd>
        {task && mine && (
          <Button look="quiet" icon="trash" disabled={busy} onClick={() => void remove(task.id)}>
            {common.delete}
          </Button>
        )}
        <Button onClick={onClose}>{mine ? common.cancel : common.close}</Button>
        {mine && (
          <Button look="main" type="submit" busy={busy} disabled={people.length === 0}>
            {common.save}
          </Button>
        )}
      </FormEnd>
    </Form>
  )
}
