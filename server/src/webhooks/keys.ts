/** How the address of a webhook keeps its secrets: in the clear for the one in the settings of a bot, else encrypted. */
import { unseal } from '../platform/seal.js'

export interface KeptKeys {
  /** Of the address in the settings of a bot; the newest first. */
  signing_secrets: string[]
  /** Of a named endpoint; the newest first. */
  sealed_keys: Buffer[]
  sealed_headers: Buffer | null
}

/** Selects what KeptKeys holds from a row of `webhook_addresses`; `now` is a parameter of the statement. */
export function keptKeysOf(address: string, now: string): string {
  const valid = `case when ${address}.old_key_until > ${now} then`
  return `array_remove(array[${address}.signing_secret, ${valid} ${address}.old_signing_secret end], null) as signing_secrets,
    array_remove(array[${address}.signing_key, ${valid} ${address}.old_signing_key end], null) as sealed_keys,
    ${address}.headers as sealed_headers`
}

export const sealingPurpose = (bot_id: number) => `endpoint of bot ${bot_id}`

export interface OpenedKeys {
  signing_secrets: readonly string[]
  headers: Readonly<Record<string, string>> | undefined
}

/** The keys to sign with and the headers to add; undefined where another secret of the server encrypted them. */
export function openKeys(secret: Buffer, bot_id: number, kept: KeptKeys): OpenedKeys | undefined {
  const { signing_secrets, sealed_keys, sealed_headers } = kept
  if (sealed_keys.length === 0) return { signing_secrets, headers: undefined }
  const purpose = sealingPurpose(bot_id)
  const keys = sealed_keys.flatMap((sealed) => unseal(secret, purpose, sealed)?.toString() ?? [])
  const headers = sealed_headers ? unseal(secret, purpose, sealed_headers) : Buffer.from('{}')
  if (keys.length === 0 || !headers) return undefined
  return { signing_secrets: keys, headers: JSON.parse(headers.toString()) }
}
