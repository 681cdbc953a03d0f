import type { Task } from '@parley/contract'
import { titleOf } from '../chats/entry.js'
import { useCard } from '../chats/use-card.js'
import { attempt } from '../frame/attempt.js'
import { listNames } from '../people/names.js'
import { call } from '../platform/api.js'
import { formatDay, formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import '../ui/choice.css'
import { dueDay, mayChange, type TaskGroup } from './state.js'

interface TaskRowProps {
  task: Task
  group: TaskGroup
  onChanged(): void
}

export function TaskRow({ task, group, onChanged }: TaskRowProps) {
  const { tasks: say } = words()
  const done = task.status === 'done'
  const toggle = async (box: HTMLInputElement) => {
    const status = done ? 'undone' : 'done'
    if (await attempt(() => call('updateTask', { params: { id: task.id }, body: { task: { status } } })))
      onChanged()
    else box.checked = done
  }
  const chat = useCard(task.chat_id)
  const me = state.session.value?.user.id
  const others = task.performer_ids.some((id) => id !== me)
  const about = [
    say.kinds[task.kind],
    task.due_at && (task.all_day ? formatDay(`${dueDay(task)}T12:00`) : formatMoment(task.due_at)),
    chat && titleOf(chat),
    others && listNames(task.performer_ids),
  ]
  return (
    <li class="row">
      <label class="task-check">
        <input
          type="checkbox"
          class="checkbox"
          checked={done}
          disabled={!mayChange(task, me)}
          aria-label={say.markDone(task.content)}
          onChange={({ currentTarget }) => void toggle(currentTarget)}
        />
      </label>
      <a class="row-main" href={`/tasks?task=${task.id}${done ? '&show=done' : ''}`}>
        <span class={`row-name ${done ? 'task-done' : ''}`}>{task.content}</span>
        <span class={`row-about ${group === 'overdue' ? 'task-late' : ''}`}>
          {about.filter(Boolean).join(' · ')}
        </span>
      </a>
      {task.priority > 1 && !done && (
        <span class="task-priority">{say.priorities[task.priority === 3 ? 3 : 2]}</span>
      )}
    </li>
  )
}
