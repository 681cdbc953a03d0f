import { createHmac } from 'node:crypto'

/** Sent with `/livez` and `/readyz`: tells which workspace a server belongs to, and nothing about it. */
export const WORKSPACE_HEADER = 'Parley-Workspace'

export function fingerprintOf(secret: Buffer): string {
  return createHmac('sha256', secret).update('fingerprint').digest('hex').slice(0, 16)
}
