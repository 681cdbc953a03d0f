import type { EndpointSignature } from '@parley/contract'
import { newKeyPair, newSigningSecret } from '../../bots/secrets.js'
import { seal } from '../../platform/seal.js'
import { sealingPurpose } from '../keys.js'

/** A new key of an endpoint: the columns that keep it, and what its owner is shown once. */
export function newKey(secret: Buffer, botId: number, signature: EndpointSignature) {
  if (signature === 'hmac') {
    const signing_secret = newSigningSecret()
    const signing_key = seal(secret, sealingPurpose(botId), signing_secret)
    return { columns: { signature, public_key: null, signing_key }, signing_secret }
  }
  const { private_key, public_key } = newKeyPair()
  const signing_key = seal(secret, sealingPurpose(botId), private_key)
  return { columns: { signature, public_key, signing_key }, signing_secret: null }
}

/** The columns that keep the headers of an endpoint. */
export function headerColumns(secret: Buffer, botId: number, headers: Record<string, string>) {
  const header_names = Object.keys(headers)
  return { header_names, headers: seal(secret, sealingPurpose(botId), JSON.stringify(headers)) }
}
