// Builds what is stale and runs the command named: `node scripts/start.mjs serve`. SIGTERM goes on to the server, which
// ends its requests first; Ctrl-C reaches it by itself.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { needNode } from '../cli/bin/need-node.mjs'
import { NODE_FLAGS } from './node-flags.mjs'

needNode()
await import('./build.mjs').catch((error) => {
  if (error.code !== 'MODULE_NOT_FOUND') throw error
  console.error('The build tools are not installed: run npm ci (without --omit=dev) first.')
  process.exit(1)
})

const main = fileURLToPath(new URL('../cli/dist/main.js', import.meta.url))
const child = spawn(process.execPath, [...NODE_FLAGS, main, ...process.argv.slice(2)], { stdio: 'inherit' })
process.on('SIGINT', () => {})
let told = false
for (const signal of ['SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    told = true
    child.kill(signal)
  })
// npm starts this through a shell and signals that shell, which ends without passing the signal on.
if (process.env.npm_lifecycle_event && process.platform !== 'win32') {
  const shell = process.ppid
  // Once: a second signal would end the server in the middle of stopping.
  const look = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(look)
    if (!told) child.kill('SIGTERM')
  }, 250)
  look.unref()
}
child.on('exit', (code) => process.exit(code ?? 1))
