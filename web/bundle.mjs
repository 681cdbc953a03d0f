import { build } from 'vite'

/** Makes `web/dist`, which the server serves. */
export async function bundle() {
  await build({ configFile: new URL('vite.config.mjs', import.meta.url).pathname, logLevel: 'warn' })
}
