import { type Static, Type } from 'typebox'
import { OwnPassword } from './credentials.js'
import { operation } from './operation.js'
import { ADMINS, NO_TOKEN, PEOPLE } from './scopes.js'
import { Data, Enum, Id, Nullable, NullableTimestamp, Timestamp } from './shapes.js'

/** A key on a device or a stick that signs in its owner. */
export const Passkey = Type.Object({
  id: Id,
  name: Type.String(),
  created_at: Timestamp,
  last_used_at: NullableTimestamp,
})
export type Passkey = Static<typeof Passkey>

/** What the caller needs besides the password to sign in. */
export const SecondFactor = Type.Object({
  required: Type.Boolean({ description: 'The workspace asks everybody for one.' }),
  totp: Type.Boolean({ description: 'Codes of an authenticator app are on.' }),
  passkeys: Type.Array(Passkey),
  passkeys_possible: Type.Boolean({
    description: 'False where the server is reached by a bare address, for which browsers make no passkeys.',
  }),
  recovery_codes_left: Type.Integer({ format: 'int32' }),
})
export type SecondFactor = Static<typeof SecondFactor>

const OneTimeCodes = Type.Array(Type.String(), { description: 'Shown once; each works once.' })

/** What a browser is asked to do with a passkey (WebAuthn, as JSON). */
const PasskeyOptions = Type.Record(Type.String(), Type.Unknown())
/** What the browser answered (WebAuthn, as JSON). */
export const PasskeyAnswer = Type.Record(Type.String(), Type.Unknown())

const ours = { area: 'Sessions', scope: null, plan: null, addition: true } as const
const mine = { ...ours, roles: PEOPLE, rate: 'sign-in', sessionOnly: true, whileUnprotected: true } as const
const refused = { 422: ['invalid', 'blank', 'too_long'] } as const

export const getSecondFactor = operation({
  ...mine,
  id: 'getSecondFactor',
  rate: 'other',
  summary: 'The own second factor',
  method: 'GET',
  path: '/profile/second_factor',
  returns: { status: 200, body: Data(SecondFactor) },
})

export const startTotp = operation({
  ...mine,
  id: 'startTotp',
  dryRun: false,
  summary: 'Begin with codes of an authenticator app',
  description: 'They are on once the first code was confirmed.',
  method: 'POST',
  path: '/profile/second_factor/totp',
  body: Type.Object({ password: OwnPassword }),
  returns: {
    status: 201,
    body: Data(
      Type.Object({
        secret: Type.String({ description: 'To type by hand (base32).' }),
        uri: Type.String({ description: 'To show as a QR code.' }),
      }),
    ),
  },
  problems: { 409: ['already_exists'], ...refused },
})

export const confirmTotp = operation({
  ...mine,
  id: 'confirmTotp',
  dryRun: false,
  summary: 'Confirm the authenticator app with its first code',
  description:
    'Answers with recovery codes where the caller had no second factor before; else the list is empty.',
  method: 'PUT',
  path: '/profile/second_factor/totp',
  body: Type.Object({ code: Type.String({ maxLength: 20 }) }),
  returns: { status: 200, body: Data(Type.Object({ recovery_codes: OneTimeCodes })) },
  problems: { 404: ['not_found'], ...refused },
})

export const removeTotp = operation({
  ...mine,
  id: 'removeTotp',
  summary: 'Stop asking for codes of the authenticator app',
  method: 'POST',
  path: '/profile/second_factor/totp/remove',
  body: Type.Object({ password: OwnPassword }),
  returns: { status: 204 },
  problems: { 404: ['not_found'], ...refused },
})

export const renewRecoveryCodes = operation({
  ...mine,
  id: 'renewRecoveryCodes',
  dryRun: false,
  summary: 'New recovery codes in place of the old ones',
  method: 'POST',
  path: '/profile/second_factor/recovery_codes',
  body: Type.Object({ password: OwnPassword }),
  returns: { status: 201, body: Data(Type.Object({ recovery_codes: OneTimeCodes })) },
  problems: { 404: ['not_found'], ...refused },
})

export const startPasskey = operation({
  ...mine,
  id: 'startPasskey',
  dryRun: false,
  summary: 'What a browser needs to make a passkey',
  method: 'POST',
  path: '/profile/passkeys/options',
  body: Type.Object({ password: OwnPassword }),
  returns: { status: 200, body: Data(PasskeyOptions) },
  problems: refused,
})

export const addPasskey = operation({
  ...mine,
  id: 'addPasskey',
  dryRun: false,
  summary: 'Keep a passkey that the browser made',
  description:
    'Answers with recovery codes where the caller had no second factor before; else the list is empty.',
  method: 'POST',
  path: '/profile/passkeys',
  body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }), answer: PasskeyAnswer }),
  returns: {
    status: 201,
    body: Data(Type.Object({ passkey: Passkey, recovery_codes: OneTimeCodes })),
  },
  problems: refused,
})

export const removePasskey = operation({
  ...mine,
  id: 'removePasskey',
  summary: 'Remove a passkey',
  method: 'POST',
  path: '/profile/passkeys/{id}/remove',
  params: Type.Object({ id: Id }),
  body: Type.Object({ password: OwnPassword }),
  returns: { status: 204 },
  problems: { 404: ['not_found'], ...refused },
})

export const beginSecondFactor = operation({
  ...ours,
  id: 'beginSecondFactor',
  roles: NO_TOKEN,
  rate: 'sign-in',
  dryRun: false,
  summary: 'How to prove a sign-in',
  description: 'For an account whose sign-in was answered with 401 `second_factor_required`.',
  method: 'POST',
  path: '/sessions/second_factor',
  body: Type.Object({ email: Type.String({ maxLength: 255 }), password: Type.String({ maxLength: 200 }) }),
  returns: {
    status: 200,
    body: Data(
      Type.Object({
        methods: Type.Array(Enum(['code', 'passkey'])),
        passkey: Nullable(PasskeyOptions),
      }),
    ),
  },
  problems: { 401: [], 403: ['not_authorized'], 422: ['blank'] },
})

export const resetSecondFactor = operation({
  ...ours,
  id: 'resetSecondFactor',
  roles: ADMINS,
  rate: 'other',
  sessionOnly: true,
  summary: 'Take the second factor of somebody away',
  description: 'For people who have lost their devices and their recovery codes.',
  access: 'The second factor of the owner is the owner’s alone.',
  method: 'DELETE',
  path: '/users/{id}/second_factor',
  params: Type.Object({ id: Id }),
  returns: { status: 204 },
  problems: { 403: ['owner_protected'], 404: ['not_found'] },
})
