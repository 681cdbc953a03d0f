// Runs the tests: one PostgreSQL for the whole run, then Node's own runner on every test file, or on those named.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startTestCluster } from '../server/dist/testing/cluster.js'

function testFiles(workspace) {
  const folder = join(workspace, 'dist')
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.test.js'))
  return names.sort().map((name) => join(folder, name))
}

const named = process.argv.slice(2)
const files = named.length > 0 ? named : ['contract', 'sdk', 'server', 'cli'].flatMap(testFiles)
const cluster = await startTestCluster()
const options = ['--test', '--enable-source-maps', '--test-concurrency=2', '--test-reporter=spec']
const runner = spawn(process.execPath, [...options, ...files], {
  stdio: 'inherit',
  env: { ...process.env, TEST_CLUSTER_URL: cluster.url },
})
const code = await new Promise((resolve) => runner.on('exit', resolve))
await cluster.stop()
process.exit(code ?? 1)
