import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { EVERYONE } from './scopes.js'
import { annotated, Enum, Id, Nullable } from './shapes.js'

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
  problems: { 400: [], 422: [] },
})
