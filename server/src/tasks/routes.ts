import { createTask, deleteTask, getTask, listTasks, updateTask } from '@parley/contract'
import type { FastifyReply } from 'fastify'
import { noteIgnored } from '../platform/http/ignored.js'
import { pageResult, readPaging } from '../platform/http/page.js'
import { type Api, route } from '../platform/http/route.js'
import { ensure, found } from '../platform/problem.js'
import { addTask, type Made } from './create.js'
import { editTask, removeTask } from './edit.js'
import { loadTasks } from './present.js'
import { findTaskFor, listTaskIdsFor } from './queries.js'
import { mayRead } from './rules.js'

function answer(reply: FastifyReply, { task, dropped }: Made) {
  if (dropped) noteIgnored(reply, 'performer_ids')
  return { data: task }
}

export function taskRoutes(api: Api) {
  route(api, listTasks, async ({ ctx, actor, query }) => {
    const paging = readPaging(query, { list: listTasks.id, secret: ctx.secret, limit: 50, per: 50 })
    const rows = await listTaskIdsFor(ctx.db, actor, query, paging)
    const { data, meta } = pageResult(rows, paging, ({ id }) => ({ id }))
    const ids = data.map(({ id }) => id)
    return { data: await loadTasks(ctx.db, ids), meta }
  })
  route(api, createTask, async ({ ctx, actor, body, reply }) =>
    answer(reply, await addTask(ctx, actor, body.task)),
  )
  route(api, getTask, async ({ ctx, actor, params }) => {
    const task = found(await findTaskFor(ctx.db, actor, params.id), { key: 'id', value: params.id })
    ensure(mayRead(actor, task), 'show', { type: 'Task', id: task.id })
    const [data] = await loadTasks(ctx.db, [task.id])
    return { data: found(data) }
  })
  route(api, updateTask, async ({ ctx, actor, params, body, reply }) =>
    answer(reply, await editTask(ctx, actor, params.id, body.task)),
  )
  route(api, deleteTask, ({ ctx, actor, params }) => removeTask(ctx, actor, params.id))
}
