import { type Static, Type } from 'typebox'
import { CustomProperty } from './custom-properties.js'
import { operation } from './operation.js'
import { EVERYONE } from './scopes.js'
import {
  annotated,
  Cursor,
  Data,
  Enum,
  Id,
  Limit,
  Nullable,
  NullableTimestamp,
  Page,
  PageNumber,
  PerPage,
  TimeInput,
  Timestamp,
} from './shapes.js'

/** Kind of task. */
export const TaskKind = Enum(['call', 'meeting', 'reminder', 'event', 'email'])
export type TaskKind = Static<typeof TaskKind>

/** State of a task. */
export const TaskStatus = Enum(['done', 'undone'])
export type TaskStatus = Static<typeof TaskStatus>

/** How much a task matters. */
const TaskPriority = Enum([1, 2, 3], { format: 'int32' })

/** Reminder. */
export const Task = Type.Object({
  id: Id,
  kind: TaskKind,
  content: Type.String(),
  due_at: NullableTimestamp,
  priority: Type.Integer({ format: 'int32', minimum: 1, maximum: 3 }),
  user_id: Id,
  chat_id: Nullable(Id),
  status: TaskStatus,
  created_at: Timestamp,
  performer_ids: Type.Array(Id),
  all_day: Type.Boolean(),
  done_at: annotated(NullableTimestamp, { description: 'When it was done; null while it is not.' }),
  custom_properties: Type.Array(CustomProperty),
})
export type Task = Static<typeof Task>

/** New task; the caller performs it when nobody is named. */
export const TaskCreateRequest = Type.Object({
  task: Type.Object({
    kind: TaskKind,
    content: Type.Optional(Type.String({ description: 'Defaults to the name of the kind.' })),
    due_at: Type.Optional(
      annotated(TimeInput, { description: 'A time of 23:59:59.000 makes it an all-day task.' }),
    ),
    priority: Type.Optional(
      annotated(TaskPriority, { default: 1, description: '1 normal, 2 important, 3 very important.' }),
    ),
    performer_ids: Type.Optional(Type.Array(Id)),
    chat_id: Type.Optional(Id),
    all_day: Type.Optional(Type.Boolean()),
    custom_properties: Type.Optional(
      Type.Array(
        Type.Object({
          id: Id,
          value: Type.String({ 'x-null-as': '' }),
        }),
      ),
    ),
  }),
})
export type TaskCreateRequest = Static<typeof TaskCreateRequest>

/** Only passed fields change. */
export const TaskUpdateRequest = Type.Object({
  task: Type.Object({
    kind: Type.Optional(TaskKind),
    content: Type.Optional(Type.String()),
    due_at: Type.Optional(
      annotated(TimeInput, { description: 'A time of 23:59:59.000 makes it an all-day task.' }),
    ),
    priority: Type.Optional(
      annotated(TaskPriority, { description: '1 normal, 2 important, 3 very important.' }),
    ),
    performer_ids: Type.Optional(Type.Array(Id)),
    status: Type.Optional(TaskStatus),
    all_day: Type.Optional(Type.Boolean()),
    done_at: Type.Optional(
      annotated(TimeInput, { description: 'No time at all clears the mark.', 'x-when-invalid': 'ignore' }),
    ),
    custom_properties: Type.Optional(
      Type.Array(
        Type.Object({
          id: Id,
          value: Type.String({ 'x-null-as': '' }),
        }),
      ),
    ),
  }),
})
export type TaskUpdateRequest = Static<typeof TaskUpdateRequest>

export const listTasks = operation({
  id: 'listTasks',
  area: 'Tasks',
  summary: 'Tasks',
  access: 'Own tasks and tasks of chats the caller is in.',
  method: 'GET',
  path: '/tasks',
  scope: 'tasks:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  query: Type.Object({
    status: Type.Optional(annotated(TaskStatus, { description: 'State.' })),
    author_id: Type.Optional(Type.Integer({ format: 'int32', description: 'Author.' })),
    chat_ids: Type.Optional(
      Type.Array(Id, { maxItems: 100, description: 'Chats, at most 100. Comma-separated.' }),
    ),
    performer_ids: Type.Optional(
      Type.Array(Id, { maxItems: 100, description: 'Performers, at most 100. Comma-separated.' }),
    ),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
    per: Type.Optional(PerPage(50, 50)),
    page: Type.Optional(PageNumber),
  }),
  returns: { status: 200, body: Page(Task) },
})

export const createTask = operation({
  id: 'createTask',
  area: 'Tasks',
  summary: 'New task',
  access: 'To link a chat one must be in it.',
  method: 'POST',
  path: '/tasks',
  scope: 'tasks:create',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  body: TaskCreateRequest,
  returns: { status: 201, body: Data(Task) },
  problems: { 404: ['not_found'], 422: ['blank', 'inclusion', 'invalid', 'not_found', 'not_applicable'] },
})

export const getTask = operation({
  id: 'getTask',
  area: 'Tasks',
  summary: 'One task',
  method: 'GET',
  path: '/tasks/{id}',
  scope: 'tasks:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(Task) },
  problems: { 404: ['not_found'] },
})

export const updateTask = operation({
  id: 'updateTask',
  area: 'Tasks',
  summary: 'Change a task',
  method: 'PUT',
  path: '/tasks/{id}',
  scope: 'tasks:update',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  body: TaskUpdateRequest,
  returns: { status: 200, body: Data(Task) },
  problems: { 404: ['not_found'], 422: ['blank', 'invalid', 'too_long'] },
})

export const deleteTask = operation({
  id: 'deleteTask',
  area: 'Tasks',
  summary: 'Delete a task',
  method: 'DELETE',
  path: '/tasks/{id}',
  scope: 'tasks:delete',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})
