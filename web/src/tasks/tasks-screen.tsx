import type { Task, TaskStatus } from '@parley/contract'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { attempt } from '../frame/attempt.js'
import { Page } from '../frame/page.js'
import { NotRead } from '../frame/waiting.js'
import { readPeopleOf } from '../people/actions.js'
import { call } from '../platform/api.js'
import { today } from '../platform/day.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { useUntilAnswered } from '../platform/use-until-answered.js'
import { state } from '../store.js'
import { Button } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import { Icon } from '../ui/icon.js'
import { LinkTabs } from '../ui/link-tabs.js'
import { groupTasks, TASK_GROUPS } from './state.js'
import { TaskDialog } from './task-dialog.js'
import { TaskRow } from './task-row.js'
import './tasks-screen.css'

async function readTasks(status: TaskStatus): Promise<Task[]> {
  const tasks: Task[] = []
  let cursor: string | undefined
  do {
    const page = await call('listTasks', { query: { status, limit: 50, ...(cursor ? { cursor } : {}) } })
    tasks.push(...page.data)
    // Done ones pile up over the years; the newest are enough.
    cursor = page.meta.paginate.has_next && status === 'undone' ? page.meta.paginate.next_page : undefined
  } while (cursor)
  await readPeopleOf(tasks.flatMap(({ user_id, performer_ids }) => [user_id, ...performer_ids]))
  return tasks
}

/** Own tasks and those of the own chats. `?task=` opens one, `?task=new` makes one. */
export function TasksRoute() {
  const { tasks: say } = words()
  const { query } = useLocation()
  const done = query.show === 'done'
  const status = done ? 'done' : 'undone'
  const [read, setRead] = useState<Partial<Record<TaskStatus, readonly Task[]>>>({})
  const tasks = read[status] ?? null
  const revision = state.taskRevision.value
  async function load() {
    const found = await readTasks(status)
    setRead((known) => ({ ...known, [status]: found }))
  }
  const waiting = useUntilAnswered(load, [revision, status])

  const at = done ? '/tasks?show=done' : '/tasks'
  const groups = groupTasks(tasks ?? [], today())
  const close = () => {
    // Whoever went back is at another address already.
    if (new URLSearchParams(location.search).has('task')) navigate(at, 'replace')
  }
  return (
    <Page
      title={say.title}
      tools={
        <Button look="main" icon="plus" onClick={() => navigate('/tasks?task=new')}>
          {say.new}
        </Button>
      }
      tabs={
        <LinkTabs
          label={say.show}
          links={[
            { href: '/tasks', label: say.open, current: !done },
            { href: '/tasks?show=done', label: say.done, current: done },
          ]}
        />
      }
    >
      {tasks === null && <NotRead {...waiting} />}
      {tasks?.length === 0 && (
        <Empty icon="task" title={done ? say.noneDone : say.none} text={done ? '' : say.noneText} />
      )}
      {TASK_GROUPS.map((name) => {
        const here = groups.get(name) ?? []
        if (here.length === 0) return null
        return (
          <section key={name} class="task-group">
            <h2 class={name === 'overdue' ? 'task-late' : undefined}>
              {name === 'overdue' && <Icon name="warn" size="sm" />}
              {say.groups[name]}
            </h2>
            <ul>
              {here.map((task) => (
                <TaskRow key={task.id} task={task} group={name} onChanged={() => void attempt(load)} />
              ))}
            </ul>
          </section>
        )
      })}
      {query.task && (
        <TaskDialog
          key={query.task}
          id={query.task === 'new' ? null : Number(query.task)}
          onClose={close}
          onChanged={() => {
            close()
            void attempt(load)
          }}
        />
      )}
    </Page>
  )
}
