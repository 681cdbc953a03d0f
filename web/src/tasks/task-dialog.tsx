import type { PersonCard, Task } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { apply, state } from '../store.js'
import { Dialog } from '../ui/dialog.js'
import { TaskForm } from './task-form.js'

interface TaskDialogProps {
  /** Null for a new one. */
  id: number | null
  onClose(): void
  onChanged(): void
}

interface Loaded {
  task: Task | null
  performers: readonly PersonCard[]
}

/** Reads the task and its performers before the form is shown. */
async function read(id: number | null): Promise<Loaded> {
  const me = state.session.peek()?.user.id ?? 0
  const task = id === null ? null : (await call('getTask', { params: { id } })).data
  const { data } = await call('listPeople', { query: { ids: task?.performer_ids ?? [me] } })
  apply({ type: 'people', people: data })
  return { task, performers: data }
}

export function TaskDialog({ id, onClose, onChanged }: TaskDialogProps) {
  const { tasks: say, common } = words()
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  useEffect(() => {
    void attempt(async () => setLoaded(await read(id))).then((there) => there || onClose())
  }, [id])
  return (
    <Dialog title={id === null ? say.new : say.edit} closeLabel={common.close} onClose={onClose}>
      {loaded ? (
        <TaskForm {...loaded} onClose={onClose} onChanged={onChanged} />
      ) : (
        <p role="status">{common.loading}</p>
      )}
    </Dialog>
  )
}
