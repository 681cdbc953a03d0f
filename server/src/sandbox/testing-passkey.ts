import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'

const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x58, value.length]), value])

/** A public key as COSE writes it: EC2, ES256, P-256 (RFC 9053). */
function coseKey({ x, y }: { x?: string; y?: string }): Buffer {
  const point = (value = '') => bytes(Buffer.from(value, 'base64url'))
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    point(x),
    Buffer.from([0x22]),
    point(y),
  ])
}

/** What a security key answers to `startPasskey` in a browser at this origin. */
export function makePasskey(origin: string, challenge: string) {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const site = createHash('sha256').update(new URL(origin).hostname).digest()
  // Flags: a person was there and was verified, and the key follows. The counter and the kind of authenticator are zero.
  const made = Buffer.concat([
    site,
    Buffer.from([0x45]),
    Buffer.alloc(4 + 16),
    Buffer.from([0, id.length]),
    id,
    coseKey(publicKey.export({ format: 'jwk' })),
  ])
  const attestation = Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    bytes(made),
  ])
  const client = JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false })
  return {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    response: {
      clientDataJSON: Buffer.from(client).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    },
    clientExtensionResults: {},
  }
}
