// Runs the tests: one PostgreSQL for the whole run, then Node's own runner on every test file, or on those named.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startTestCluster } from '../server/dist/testing/cluster.js'

/** By the sources: what was built from a file that is gone is no test any more. */
function testFiles(workspace) {
  const sources = readdirSync(join(workspace, 'src'), { recursive: true })
  const names = sources.filter((name) => name.endsWith('.test.ts'))
  return names
    .sort()
    .map((name) => join(workspace, workspace === 'web' ? 'compiled' : 'dist', name.replace(/ts$/, 'js')))
}

const named = process.argv.slice(2)
const files =
  named.length > 0 ? named : ['contract', 'sdk', 'postgres', 'server', 'cli', 'web'].flatMap(testFiles)
const cluster = await startTestCluster()
const options = ['--test', '--enable-source-maps', '--test-concurrency=2', '--test-reporter=spec']
const runner = spawn(process.execPath, [...options, ...files], {
  stdio: 'inherit',
  env: { ...process.env, TEST_CLUSTER_URL: cluster.url },
})
const code = await new Promise((resolve) => runner.on('exit', resolve))
await cluster.stop()
process.exit(code ?? 1)
