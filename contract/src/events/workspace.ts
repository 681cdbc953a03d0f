import { Type } from 'typebox'
import { Id, Nullable } from '../shapes.js'
import { event } from './event.js'

export const workspaceUpdated = event({
  type: 'workspace.updated',
  summary: 'Settings of the workspace changed.',
  audience: 'workspace',
  payload: Type.Object({}),
})

export const workspaceImported = event({
  type: 'workspace.imported',
  summary:
    'People, chats and messages were imported, or an import was undone: what is known is to be read again.',
  audience: 'workspace',
  payload: Type.Object({ id: Type.Integer({ format: 'int32', description: 'The import.' }) }),
})

const aboutProperty = Type.Object({ id: Id })

export const customPropertyCreated = event({
  type: 'custom_property.created',
  summary: 'A custom property was defined.',
  audience: 'workspace',
  payload: aboutProperty,
})

export const customPropertyUpdated = event({
  type: 'custom_property.updated',
  summary: 'A custom property changed.',
  audience: 'workspace',
  payload: aboutProperty,
})

export const customPropertyDeleted = event({
  type: 'custom_property.deleted',
  summary: 'A custom property was deleted.',
  audience: 'workspace',
  payload: aboutProperty,
})

const aboutTask = Type.Object({
  task_id: Id,
  chat_id: Nullable(Id),
  user_id: Type.Integer({ format: 'int32', description: 'Author.' }),
  performer_ids: Type.Array(Id),
})

export const taskCreated = event({
  type: 'task.created',
  summary: 'A task was created.',
  audience: 'chat_and_performers',
  payload: aboutTask,
})

export const taskUpdated = event({
  type: 'task.updated',
  summary: 'A task changed or was done.',
  audience: 'chat_and_performers',
  payload: Type.Object({
    ...aboutTask.properties,
    former_performer_ids: Type.Optional(
      Type.Array(Id, { description: 'Whom the change took from the task.' }),
    ),
  }),
})

export const taskDeleted = event({
  type: 'task.deleted',
  summary: 'A task was deleted.',
  audience: 'chat_and_performers',
  payload: aboutTask,
})

const aboutTag = Type.Object({ id: Id, name: Type.String() })

export const groupTagCreated = event({
  type: 'group_tag.created',
  summary: 'A tag was created.',
  audience: 'workspace',
  payload: aboutTag,
})

export const groupTagUpdated = event({
  type: 'group_tag.updated',
  summary: 'A tag was renamed.',
  audience: 'workspace',
  payload: aboutTag,
})

export const groupTagDeleted = event({
  type: 'group_tag.deleted',
  summary: 'A tag was deleted.',
  audience: 'workspace',
  payload: aboutTag,
})
