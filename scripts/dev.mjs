// Runs the server and starts it again whenever a source changes.
import { spawn, spawnSync } from 'node:child_process'
import { watch } from 'node:fs'

const PACKAGES = ['contract', 'sdk', 'postgres', 'server', 'cli', 'web']
const QUIET_MS = 200
let server
let timer

function start() {
  const built = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
  if (built.status === 0)
    server = spawn(process.execPath, ['cli/dist/main.js', 'serve'], {
      stdio: 'inherit',
    })
}

function restart() {
  if (!server || server.exitCode !== null) return start()
  server.once('exit', start)
  server.kill('SIGTERM')
}

for (const name of PACKAGES) {
  watch(`${name}/src`, { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(restart, QUIET_MS)
  })
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server?.kill(signal) ?? process.exit(0))
start()
