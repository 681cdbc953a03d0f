import { createHmac } from 'node:crypto'

/** Sent with `/livez` and `/readyz`: identifies the workspace of a server, and reveals nothing else about it. */
export const WORKSPACE_HEADER = 'Parley-Workspace'

export function fingerprintOf(secret: Buffer): string {
  return createHmac('sha256', secret).update('fingerprint').digest('hex').slice(0, 16)
}
