import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { ADMINS } from './scopes.js'
import { Data, Id } from './shapes.js'

/** What deleting a person takes away and leaves behind, in numbers. */
export const DeletionPreview = Type.Object({
  chats: Type.Integer({ description: 'Chats that the person leaves.' }),
  chats_created: Type.Integer({ description: 'Of these, chats that lose their creator.' }),
  bots: Type.Integer({ description: 'Bots of the person, which go on.' }),
  tokens: Type.Integer({ description: 'Sessions and tokens that end.' }),
  scheduled: Type.Integer({ description: 'Scheduled messages that will not be sent.' }),
})
export type DeletionPreview = Static<typeof DeletionPreview>

export const previewUserDeletion = operation({
  id: 'previewUserDeletion',
  area: 'Users',
  summary: 'What deleting a person would take away',
  method: 'GET',
  path: '/users/{id}/deletion',
  scope: null,
  plan: null,
  roles: ADMINS,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  params: Type.Object({ id: Id }),
  returns: { status: 200, body: Data(DeletionPreview) },
  problems: { 404: ['not_found'] },
})
