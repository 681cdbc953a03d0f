import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { ADMINS, EVERYONE } from './scopes.js'
import { annotated, Data, Enum, Id, Nullable } from './shapes.js'

/** Type of a custom field. */
export const CustomPropertyDataType = Enum(['string', 'number', 'date', 'link'])
export type CustomPropertyDataType = Static<typeof CustomPropertyDataType>

/** Value of a custom field; numbers as text, dates in ISO 8601, null when empty. */
export const CustomProperty = Type.Object({
  id: Id,
  name: Type.String({ maxLength: 32 }),
  data_type: CustomPropertyDataType,
  value: Nullable(Type.String({ maxLength: 768 })),
})
export type CustomProperty = Static<typeof CustomProperty>

/** Custom field of the workspace. */
export const CustomPropertyDefinition = Type.Object({
  id: Id,
  name: Type.String({ maxLength: 32 }),
  data_type: CustomPropertyDataType,
})
export type CustomPropertyDefinition = Static<typeof CustomPropertyDefinition>

/** What the custom fields belong to. */
export const CustomPropertyEntity = Enum(['User', 'Task'])
export type CustomPropertyEntity = Static<typeof CustomPropertyEntity>

export const listCustomProperties = operation({
  id: 'listCustomProperties',
  area: 'Custom properties',
  summary: 'Custom fields',
  description: 'No paging, no `meta`.',
  method: 'GET',
  path: '/custom_properties',
  scope: 'custom_properties:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  query: Type.Object({
    entity_type: annotated(CustomPropertyEntity, { description: 'Whose fields.' }),
  }),
  returns: {
    status: 200,
    body: Type.Object({
      data: Type.Array(CustomPropertyDefinition),
    }),
  },
  neverAnswered: [422],
})

const PropertyName = Type.String({ minLength: 1, maxLength: 32 })

export const createCustomProperty = operation({
  id: 'createCustomProperty',
  area: 'Custom properties',
  summary: 'New custom field',
  method: 'POST',
  path: '/custom_properties',
  scope: null,
  plan: null,
  roles: ADMINS,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  body: Type.Object({
    entity_type: CustomPropertyEntity,
    name: PropertyName,
    data_type: CustomPropertyDataType,
  }),
  returns: { status: 201, body: Data(CustomPropertyDefinition) },
  problems: { 400: ['inclusion'], 409: ['already_exists'], 422: ['blank', 'too_long'] },
})

export const updateCustomProperty = operation({
  id: 'updateCustomProperty',
  area: 'Custom properties',
  summary: 'Rename a custom field',
  method: 'PUT',
  path: '/custom_properties/{id}',
  scope: null,
  plan: null,
  roles: ADMINS,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  params: Type.Object({ id: Id }),
  body: Type.Object({ name: PropertyName }),
  returns: { status: 200, body: Data(CustomPropertyDefinition) },
  problems: { 404: ['not_found'], 409: ['already_exists'], 422: ['blank', 'too_long'] },
})

export const previewCustomPropertyDeletion = operation({
  id: 'previewCustomPropertyDeletion',
  area: 'Custom properties',
  summary: 'What deleting a custom field would take away',
  method: 'GET',
  path: '/custom_properties/{id}/deletion',
  scope: null,
  plan: null,
  roles: ADMINS,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  params: Type.Object({ id: Id }),
  returns: {
    status: 200,
    body: Data(
      Type.Object({ values: Type.Integer({ description: 'People or tasks in which it is filled in.' }) }),
    ),
  },
  problems: { 404: ['not_found'] },
})

export const deleteCustomProperty = operation({
  id: 'deleteCustomProperty',
  area: 'Custom properties',
  summary: 'Delete a custom field',
  description: 'The values go with it.',
  method: 'DELETE',
  path: '/custom_properties/{id}',
  scope: null,
  plan: null,
  roles: ADMINS,
  rate: 'other',
  sessionOnly: true,
  addition: true,
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
})
