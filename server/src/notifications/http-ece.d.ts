declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  /** Decrypts a body that was encrypted for this key (RFC 8188, RFC 8291). */
  export function decrypt(
    body: Buffer,
    parameters: { version: 'aes128gcm'; privateKey: ECDH; authSecret: Buffer },
  ): Buffer
}
