import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** Makes `web/dist`, which the server serves. */
export async function bundle() {
  await build({ configFile: fileURLToPath(new URL('vite.config.mjs', import.meta.url)), logLevel: 'warn' })
}
