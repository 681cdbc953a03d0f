import { createHmac } from 'node:crypto'

/**
 * What signs notices of the workspace itself, such as that of an export that is ready. It is made of the workspace's own
 * secret, so that there is nothing to store.
 */
export function noticeSecretOf(secret: Buffer): string {
  return `whsec_${createHmac('sha256', secret).update('notices of the workspace').digest('base64')}`
}
