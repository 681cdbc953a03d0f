/** Names of fields that hold secrets: their values are neither logged nor repeated in refusals. */
export const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'token',
  'access_token',
  'refresh_token',
  'password',
  'current_password',
  'client_secret',
  'signing_secret',
  'webhook_secret',
] as const

const NAMES = new Set<string>(SECRET_FIELDS)

export function isSecretField(name: string | undefined): boolean {
  return name !== undefined && NAMES.has(name)
}
