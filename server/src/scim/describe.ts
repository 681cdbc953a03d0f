import { ENTERPRISE, GROUP, USER } from './resources.js'

export const MAX_RESULTS = 200

/** What is supported (RFC 7643, 5). */
export function serviceProviderConfig(base: string) {
  const no = { supported: false }
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: no,
    sort: no,
    etag: no,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A SCIM token that the owner made.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  }
}

function resourceType(base: string, id: 'User' | 'Group', schema: string, extensions: object[]) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id,
    name: id,
    endpoint: `/${id}s`,
    schema,
    ...(extensions.length > 0 && { schemaExtensions: extensions }),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` },
  }
}

export const resourceTypes = (base: string) => [
  resourceType(base, 'User', USER, [{ schema: ENTERPRISE, required: false }]),
  resourceType(base, 'Group', GROUP, []),
]

interface Options {
  type?: 'string' | 'boolean' | 'complex' | 'reference'
  multiValued?: boolean
  required?: boolean
  mutability?: 'readWrite' | 'readOnly' | 'immutable'
  uniqueness?: 'none' | 'server'
  subAttributes?: object[]
}

function attribute(name: string, description: string, options: Options = {}) {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...options,
  }
}

const several = (name: string, description: string, options: Options = {}) =>
  attribute(name, description, {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The value.', { mutability: options.mutability ?? 'readWrite' }),
      attribute('display', 'A name for people.', { mutability: 'readOnly' }),
      attribute('type', 'What it is used for.'),
      attribute('primary', 'The one that counts.', { type: 'boolean' }),
    ],
    ...options,
  })

const USER_ATTRIBUTES = [
  attribute('userName', 'What the provider calls the account.', { required: true, uniqueness: 'server' }),
  attribute('externalId', 'Id at the provider.'),
  attribute('name', 'Parts of the name.', {
    type: 'complex',
    subAttributes: [
      attribute('givenName', 'First name.'),
      attribute('familyName', 'Last name.'),
      attribute('formatted', 'Full name.', { mutability: 'readOnly' }),
    ],
  }),
  attribute('displayName', 'Full name; the first name where there is no other.'),
  attribute('title', 'Position.'),
  attribute('timezone', 'IANA name.'),
  attribute('active', 'False: suspended.', { type: 'boolean' }),
  several('emails', 'The primary one, or the first; userName where there is none.'),
  several('phoneNumbers', 'The primary one, or the first.'),
  several('roles', 'admin, user or multi_guest.'),
  several('groups', 'Tags.', { mutability: 'readOnly' }),
]

const GROUP_ATTRIBUTES = [
  attribute('displayName', 'Name of the tag.', { required: true, uniqueness: 'server' }),
  attribute('externalId', 'Id at the provider.'),
  several('members', 'People who have the tag.'),
]

function schemaOf(base: string, id: string, name: string, attributes: object[]) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description: name,
    attributes,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  }
}

export const schemas = (base: string) => [
  schemaOf(base, USER, 'User', USER_ATTRIBUTES),
  schemaOf(base, GROUP, 'Group', GROUP_ATTRIBUTES),
  schemaOf(base, ENTERPRISE, 'EnterpriseUser', [attribute('department', 'Department.')]),
]
