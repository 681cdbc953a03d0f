import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { ADMINS, EMPLOYEES_AND_BOTS, EVERYONE } from './scopes.js'
import { Cursor, Data, Id, Limit, Page, PageNumber, PerPage } from './shapes.js'
import { User } from './users.js'

/** Tag that groups employees. */
export const GroupTag = Type.Object({
  id: Id,
  name: Type.String({ maxLength: 255 }),
  users_count: Type.Integer({ format: 'int32' }),
})
export type GroupTag = Static<typeof GroupTag>

/** Tag name, unique in the workspace. */
export const GroupTagRequest = Type.Object({
  group_tag: Type.Object({
    name: Type.String({ maxLength: 255 }),
  }),
})
export type GroupTagRequest = Static<typeof GroupTagRequest>

export const listGroupTags = operation({
  id: 'listGroupTags',
  area: 'Group tags',
  summary: 'Tags',
  method: 'GET',
  path: '/group_tags',
  scope: 'group_tags:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  query: Type.Object({
    names: Type.Optional(
      Type.Array(Type.String(), { description: 'Exact names, at most 100. Comma-separated.' }),
    ),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
    per: Type.Optional(PerPage(50, 25)),
    page: Type.Optional(PageNumber),
  }),
  returns: { status: 200, body: Page(GroupTag) },
  neverAnswered: [422],
})

export const createGroupTag = operation({
  id: 'createGroupTag',
  area: 'Group tags',
  summary: 'New tag',
  method: 'POST',
  path: '/group_tags',
  scope: 'group_tags:write',
  plan: null,
  roles: ADMINS,
  rate: 'other',
  body: GroupTagRequest,
  returns: { status: 201, body: Data(GroupTag) },
  problems: {
    409: ['already_exists'],
    422: ['blank', 'too_long', 'invalid', 'use_of_system_words'],
  },
})

export const getGroupTag = operation({
  id: 'getGroupTag',
  area: 'Group tags',
  summary: 'One tag',
  method: 'GET',
  path: '/group_tags/{id}',
  scope: 'group_tags:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(GroupTag) },
  problems: { 404: ['not_found'] },
})

export const updateGroupTag = operation({
  id: 'updateGroupTag',
  area: 'Group tags',
  summary: 'Rename a tag',
  method: 'PUT',
  path: '/group_tags/{id}',
  scope: 'group_tags:write',
  plan: null,
  roles: ADMINS,
  rate: 'other',
  params: Type.Object({ id: Id }),
  body: GroupTagRequest,
  returns: { status: 200, body: Data(GroupTag) },
  problems: {
    404: ['not_found'],
    409: ['already_exists'],
    422: ['blank', 'too_long', 'invalid', 'use_of_system_words'],
  },
})

export const deleteGroupTag = operation({
  id: 'deleteGroupTag',
  area: 'Group tags',
  summary: 'Delete a tag',
  method: 'DELETE',
  path: '/group_tags/{id}',
  scope: 'group_tags:write',
  plan: null,
  roles: ADMINS,
  rate: 'other',
  confined: false,
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})

export const listGroupTagUsers = operation({
  id: 'listGroupTagUsers',
  area: 'Group tags',
  summary: 'Employees of a tag',
  method: 'GET',
  path: '/group_tags/{id}/users',
  scope: 'group_tags:read',
  plan: null,
  roles: EMPLOYEES_AND_BOTS,
  rate: 'other',
  params: Type.Object({ id: Id }),
  query: Type.Object({
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
    per: Type.Optional(PerPage(50, 25)),
    page: Type.Optional(PageNumber),
  }),
  returns: { status: 200, body: Page(User) },
  problems: { 404: ['not_found'] },
  neverAnswered: [422],
})
