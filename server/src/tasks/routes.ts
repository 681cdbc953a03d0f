import * as api from '@parley/contract'
import type { FastifyReply } from 'fastify'
import { noteIgnored } from '../platform/http/ignored.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { ensure, found } from '../platform/problem.js'
import { createTask, type Made } from './create.js'
import { deleteTask, updateTask } from './edit.js'
import { loadTasks } from './present.js'
import { findTaskFor, listTaskIdsFor } from './queries.js'
import { mayRead } from './rules.js'

function answer(reply: FastifyReply, { task, dropped }: Made) {
  if (dropped) noteIgnored(reply, 'performer_ids')
  return { data: task }
}

export function taskRoutes(routes: Routes) {
  route(routes, api.listTasks, async ({ ctx, actor, query }) => {
    const paging = readPaging(query, { list: api.listTasks.id, secret: ctx.secret, limit: 50, per: 50 })
    const { data, meta } = await loadPage(
      paging,
      (part) => listTaskIdsFor(ctx.db, actor, query, part),
      ({ id }) => ({ id }),
    )
    const ids = data.map(({ id }) => id)
    return { data: await loadTasks(ctx.db, ids), meta }
  })
  route(routes, api.createTask, async ({ ctx, actor, body, reply }) =>
    answer(reply, await createTask(ctx, actor, body.task)),
  )
  route(routes, api.getTask, async ({ ctx, actor, params }) => {
    const task = found(await findTaskFor(ctx.db, actor, params.id), { key: 'id', value: params.id })
    ensure(mayRead(actor, task), 'show', { type: 'Task', id: task.id })
    const [data] = await loadTasks(ctx.db, [task.id])
    return { data: found(data) }
  })
  route(routes, api.updateTask, async ({ ctx, actor, params, body, reply }) =>
    answer(reply, await updateTask(ctx, actor, params.id, body.task)),
  )
  route(routes, api.deleteTask, ({ ctx, actor, params }) => deleteTask(ctx, actor, params.id))
}
