import { type Static, Type } from 'typebox'
import { OwnPassword } from './credentials.js'
import { operation } from './operation.js'
import { PEOPLE } from './scopes.js'
import { annotated, Data, Id, NullableTimestamp, Timestamp } from './shapes.js'

const NamedProvider = Type.Object({
  slug: Type.String({ description: 'Stands in the addresses of the provider here.' }),
  name: Type.String(),
})

/** How the caller signs in. */
export const OwnSignIn = Type.Object({
  password: Type.Boolean({ description: 'The caller has a password, and the workspace accepts passwords.' }),
  confirmed_until: annotated(NullableTimestamp, {
    description:
      'Until then this session changes how the caller signs in without the password, since they signed in anew at a provider.',
  }),
  identities: Type.Array(
    Type.Object({
      provider_id: annotated(Id, { description: 'The provider.' }),
      slug: Type.String({ description: 'Stands in the addresses of the provider here.' }),
      name: Type.String(),
      enabled: Type.Boolean({ description: 'Whether people may sign in through it now.' }),
      created_at: Timestamp,
    }),
    { description: 'Identity providers that know the caller.' },
  ),
  providers: Type.Array(NamedProvider, {
    description: 'Providers that are on and do not know the caller yet.',
  }),
})
export type OwnSignIn = Static<typeof OwnSignIn>

const mine = {
  area: 'Sign-in',
  scope: null,
  plan: null,
  roles: PEOPLE,
  rate: 'sign-in',
  sessionOnly: true,
  addition: true,
} as const

const To = Type.Optional(Type.String({ maxLength: 4096, description: 'Path of this server to end at.' }))
const There = Data(
  Type.Object({ url: Type.String({ description: 'Page of the provider where the browser goes next.' }) }),
)
const Slug = Type.String({ maxLength: 40, description: 'Which provider.' })

export const getOwnSignIn = operation({
  ...mine,
  id: 'getOwnSignIn',
  rate: 'other',
  whileUnprotected: true,
  summary: 'How the caller signs in',
  method: 'GET',
  path: '/profile/sign_in',
  returns: { status: 200, body: Data(OwnSignIn) },
})

export const linkIdentity = operation({
  ...mine,
  id: 'linkIdentity',
  dryRun: false,
  summary: 'Begin to link an identity provider',
  description:
    'For browsers: the answer sets a cookie that the way back from the provider is checked by. A refusal there leads to `to` with `refused=…`.',
  method: 'POST',
  path: '/profile/identities',
  body: Type.Object({ slug: Slug, to: To, password: OwnPassword }),
  returns: { status: 200, body: There },
  problems: { 404: ['not_found'], 409: ['already_exists'], 422: ['blank', 'invalid', 'too_long'] },
})

export const unlinkIdentity = operation({
  ...mine,
  id: 'unlinkIdentity',
  summary: 'Unlink an identity provider',
  description:
    'Other sessions that it opened end. Refused where the caller has no other way to sign in: an accepted password, or another provider that is on.',
  method: 'POST',
  path: '/profile/identities/{provider_id}/remove',
  params: Type.Object({ provider_id: Id }),
  body: Type.Object({ password: OwnPassword }),
  returns: { status: 204 },
  problems: { 404: ['not_found'], 422: ['blank', 'invalid', 'too_long'] },
})

export const confirmByProvider = operation({
  ...mine,
  id: 'confirmByProvider',
  dryRun: false,
  whileUnprotected: true,
  summary: 'Begin to confirm oneself at an identity provider',
  description:
    'For people without a password. The provider asks them to sign in anew; for five minutes after that, this session needs no password for changes to how they sign in.',
  method: 'POST',
  path: '/profile/identities/confirm',
  body: Type.Object({ slug: Slug, to: To }),
  returns: { status: 200, body: There },
  problems: { 404: ['not_found'], 422: ['blank', 'invalid', 'too_long'] },
})
