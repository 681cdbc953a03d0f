// npm run bench -- --axe [--pictures FOLDER]: every address in every look; with a folder, a picture of each.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export async function axe({ pictures }) {
  const env = {
    ...process.env,
    PARLEY_AXE: 'all',
    ...(pictures ? { PARLEY_PICTURES: resolve(pictures) } : {}),
  }
  const child = spawn(process.execPath, ['scripts/test.mjs', 'web/src/testing/looks'], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  return code ?? 1
}
