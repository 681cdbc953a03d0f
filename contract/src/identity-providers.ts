import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { PROVIDER_FINDINGS, type ProviderFindingCode } from './provider-findings.js'
import { NO_TOKEN, OWNER, PEOPLE } from './scopes.js'
import { annotated, Data, Enum, Id, Nullable, NullableTimestamp, Timestamp } from './shapes.js'

/** What belonging to a group of the provider means here. */
export const GroupRule = Type.Object({
  group: Type.String({ minLength: 1, maxLength: 255, description: 'The group as the provider names it.' }),
  role: Nullable(Enum(['admin', 'user', 'multi_guest']), {
    description:
      'Role of its people, the highest where several groups give one. As soon as one rule has a role, people in no such group are employees.',
  }),
  tag: Nullable(Type.String({ maxLength: 255 }), {
    description: 'Tag that its people have, and that nobody else who signs in there keeps.',
  }),
})
export type GroupRule = Static<typeof GroupRule>

const Name = Type.String({ minLength: 1, maxLength: 100, description: 'What the button says.' })
const Issuer = Type.String({
  maxLength: 500,
  description:
    'Address of the provider, as its discovery document names it. https, or http on loopback. A private address must be in `PARLEY_OUTBOUND_ALLOW`.',
})
const ClientId = Type.String({ minLength: 1, maxLength: 255, description: 'Id of the client there.' })
const ClientSecret = Nullable(Type.String({ maxLength: 1000 }), {
  description: 'Secret of the client there; null for a client without one. It is never shown again.',
})
const Scopes = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 20,
  description: 'Scopes to ask for besides `openid`.',
})
const rules = {
  groups_claim: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Claim that lists the groups of a person.',
  }),
  group_rules: Type.Array(GroupRule, {
    maxItems: 200,
    description: 'Applied at every sign-in; without any, groups are not looked at.',
  }),
  create_accounts: Type.Boolean({ description: 'Whether people without an account get one by signing in.' }),
  allowed_domains: Type.Array(Type.String({ maxLength: 255 }), {
    maxItems: 100,
    description:
      'Mail domains whose people may come in; empty means any. Held against new and linked accounts.',
  }),
  trust_email: Type.Boolean({
    description: 'Takes mail addresses as verified although the provider does not say `email_verified`.',
  }),
  enabled: Type.Boolean({ description: 'Whether people may sign in through it now.' }),
}

/** A server of somebody else that signs people in, by OpenID Connect. */
export const IdentityProvider = Type.Object({
  id: Id,
  slug: Type.String({ description: 'Stands in its addresses here.' }),
  name: Name,
  issuer: Issuer,
  client_id: ClientId,
  has_secret: Type.Boolean({ description: 'Whether a client secret is kept.' }),
  scopes: Scopes,
  ...rules,
  redirect_uri: Type.String({ description: 'To be registered at the provider.' }),
  logout_uri: Type.String({ description: 'For back-channel logout, to be registered at the provider.' }),
  people: Type.Integer({ format: 'int32', description: 'How many people are linked.' }),
  created_at: Timestamp,
  last_used_at: annotated(NullableTimestamp, { description: 'When somebody last signed in through it.' }),
})
export type IdentityProvider = Static<typeof IdentityProvider>

const ProviderInput = Type.Object({
  slug: Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
    description:
      'Small letters, digits and hyphens. It stands in the redirect address and cannot be changed.',
  }),
  name: Name,
  issuer: Issuer,
  client_id: ClientId,
  client_secret: Type.Optional(ClientSecret),
  scopes: Type.Optional(annotated(Scopes, { default: ['email', 'profile'] })),
  groups_claim: Type.Optional(annotated(rules.groups_claim, { default: 'groups' })),
  group_rules: Type.Optional(annotated(rules.group_rules, { default: [] })),
  create_accounts: Type.Optional(annotated(rules.create_accounts, { default: true })),
  allowed_domains: Type.Optional(annotated(rules.allowed_domains, { default: [] })),
  trust_email: Type.Optional(annotated(rules.trust_email, { default: false })),
  enabled: Type.Optional(annotated(rules.enabled, { default: true })),
})
export type ProviderInput = Static<typeof ProviderInput>

const ProviderChange = Type.Partial(Type.Omit(ProviderInput, ['slug']))
export type ProviderChange = Static<typeof ProviderChange>

/** One step of a connection to a provider. */
export const ProviderCheck = Type.Object({
  step: Enum(['address', 'discovery', 'issuer', 'features', 'keys', 'client'], {
    description:
      'In this order: the address answers, with a discovery document, of this issuer, with what is needed; its keys are there; it knows the client.',
  }),
  state: Enum(['ok', 'failed', 'skipped'], { description: 'Steps after one that failed are skipped.' }),
  detail: Nullable(Type.String(), { description: 'What was found.' }),
  code: Nullable(Enum(Object.keys(PROVIDER_FINDINGS) as ProviderFindingCode[]), {
    description: 'The same as a code, for clients with words of their own; null where the step was skipped.',
  }),
  values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    description: 'What the code speaks about, such as `url` or `status`.',
  }),
})
export type ProviderCheck = Static<typeof ProviderCheck>

/** Who could still sign in without passwords. */
export const SignInCoverage = Type.Object({
  people: Type.Integer({ format: 'int32', description: 'People who are active, guests too.' }),
  without_identity: Type.Integer({
    format: 'int32',
    description: 'Of these, people who have not signed in through a provider that is on.',
  }),
  without_second_factor: Type.Integer({
    format: 'int32',
    description: 'Of these, people who have neither an authenticator app nor a passkey.',
  }),
  owner_linked: Type.Boolean({
    description: 'Whether the owner has; before that, passwords cannot be turned off.',
  }),
})
export type SignInCoverage = Static<typeof SignInCoverage>

/** Why a sign-in through a provider failed: `refused` of the sign-in page. */
export const SignInRefusalCode = Enum([
  'unknown_provider',
  'unreachable',
  'cancelled',
  'refused',
  'expired',
  'invalid_answer',
  'no_email',
  'email_unverified',
  'domain',
  'no_account',
  'other_identity',
  'taken',
  'already_linked',
  'not_you',
  'not_fresh',
  'suspended',
  'licences',
  'failed',
])
export type SignInRefusalCode = Static<typeof SignInRefusalCode>

const ours = { area: 'Sign-in', scope: null, plan: null, addition: true } as const
const owners = { ...ours, roles: OWNER, rate: 'other', sessionOnly: true } as const
const one = { params: Type.Object({ id: Id }) } as const
const refused = ['blank', 'too_long', 'invalid', 'use_of_system_words'] as const

export const getSignInOptions = operation({
  ...ours,
  id: 'getSignInOptions',
  roles: NO_TOKEN,
  rate: 'anonymous',
  summary: 'How people may sign in',
  method: 'GET',
  path: '/sign_in',
  returns: {
    status: 200,
    body: Data(
      Type.Object({
        password: Type.Boolean({ description: 'Whether passwords are accepted.' }),
        providers: Type.Array(
          Type.Object({
            slug: Type.String({ description: 'The browser goes to `/sign-in/oidc/{slug}`.' }),
            name: Type.String(),
          }),
          { description: 'Providers that are on.' },
        ),
      }),
    ),
  },
})

export const listIdentityProviders = operation({
  ...owners,
  id: 'listIdentityProviders',
  summary: 'Identity providers',
  method: 'GET',
  path: '/company/identity_providers',
  returns: { status: 200, body: Data(Type.Array(IdentityProvider)) },
})

export const createIdentityProvider = operation({
  ...owners,
  id: 'createIdentityProvider',
  summary: 'New identity provider',
  method: 'POST',
  path: '/company/identity_providers',
  body: ProviderInput,
  returns: { status: 201, body: Data(IdentityProvider) },
  problems: { 400: ['inclusion'], 409: ['already_exists'], 422: refused },
})

export const updateIdentityProvider = operation({
  ...owners,
  id: 'updateIdentityProvider',
  summary: 'Change an identity provider',
  description:
    'Only passed fields change. While passwords are off, the provider through which the owner signs in stays on.',
  method: 'PUT',
  path: '/company/identity_providers/{id}',
  ...one,
  body: ProviderChange,
  returns: { status: 200, body: Data(IdentityProvider) },
  problems: { 400: ['inclusion'], 404: ['not_found'], 422: refused },
})

export const deleteIdentityProvider = operation({
  ...owners,
  id: 'deleteIdentityProvider',
  summary: 'Remove an identity provider',
  description: 'Sessions that it opened end. Accounts stay, and lose their link to it.',
  method: 'DELETE',
  path: '/company/identity_providers/{id}',
  ...one,
  returns: { status: 204 },
  problems: { 404: ['not_found'], 422: ['invalid'] },
})

export const tryIdentityProvider = operation({
  ...owners,
  id: 'tryIdentityProvider',
  dryRun: false,
  summary: 'Test the connection to an identity provider',
  description: 'Asks the provider as a sign-in would, and says which step fails. Nothing is changed.',
  method: 'POST',
  path: '/company/identity_providers/{id}/try',
  ...one,
  returns: { status: 200, body: Data(Type.Array(ProviderCheck)) },
  problems: { 404: ['not_found'] },
})

export const getSignInCoverage = operation({
  ...owners,
  id: 'getSignInCoverage',
  summary: 'How many people have signed in through a provider',
  method: 'GET',
  path: '/company/sign_in',
  returns: { status: 200, body: Data(SignInCoverage) },
})

export const getSessionProvider = operation({
  ...ours,
  id: 'getSessionProvider',
  roles: PEOPLE,
  rate: 'other',
  sessionOnly: true,
  whileSuspended: true,
  summary: 'Where the caller signs out of their identity provider',
  description: 'To be asked before `signOut`; the browser goes there afterwards.',
  method: 'GET',
  path: '/sessions/current/provider',
  returns: {
    status: 200,
    body: Data(
      Nullable(
        Type.Object({
          name: Type.String(),
          sign_out_url: Nullable(Type.String(), { description: 'Null where the provider has no such page.' }),
        }),
        { description: 'Null for a session that no provider opened.' },
      ),
    ),
  },
})

const page = { ...ours, roles: NO_TOKEN, root: true } as const
const Slug = Type.Object({ slug: Type.String() })

export const beginProviderSignIn = operation({
  ...page,
  id: 'beginProviderSignIn',
  rate: 'anonymous',
  summary: 'Sign in through an identity provider',
  description:
    'For browsers: leads to the provider, and from there back. `to` is the path of this server to end at. A refusal leads to `/sign-in?refused=…`.',
  method: 'GET',
  path: '/sign-in/oidc/{slug}',
  params: Slug,
  query: Type.Object({
    to: Type.Optional(Type.String({ maxLength: 4096, description: 'Path to end at.' })),
  }),
  returns: { status: 302 },
  problems: { 400: ['too_long'] },
})

export const finishProviderSignIn = operation({
  ...page,
  id: 'finishProviderSignIn',
  rate: 'sign-in',
  summary: 'Return from an identity provider',
  description: 'The redirect address that is registered at the provider.',
  method: 'GET',
  path: '/sign-in/oidc/{slug}/callback',
  params: Slug,
  returns: { status: 302 },
})

export const endProviderSessions = operation({
  ...page,
  id: 'endProviderSessions',
  rate: 'anonymous',
  dryRun: false,
  summary: 'Back-channel logout by an identity provider',
  description: 'Ends the sessions that the `logout_token` of the form names.',
  method: 'POST',
  path: '/sign-in/oidc/{slug}/logout',
  params: Slug,
  media: ['application/x-www-form-urlencoded'],
  body: Type.Object({ logout_token: Type.String({ description: 'Signed by the provider.' }) }),
  oauthErrors: true,
  returns: { status: 200 },
  problems: { 400: [], 413: ['too_long'] },
})
