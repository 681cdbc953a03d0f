// Fetches the renderer of the API reference: one file of @scalar/api-reference. As a dependency that package brings 200 others and
// 240 MB; the file alone is 1.2 MB. Run with another version to upgrade: node scripts/fetch-scalar.mjs 1.72.1
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const [version = '1.72.1'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'scalar-'))
const file = execFileSync('npm', ['pack', '--silent', `@scalar/api-reference@${version}`], { cwd: folder })
const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 }
const script = execFileSync(
  'tar',
  ['-xzOf', String(file).trim(), 'package/dist/browser/standalone.js'],
  options,
)
writeFileSync(new URL('../server/data/scalar.js.gz', import.meta.url), gzipSync(script, { level: 9 }))
rmSync(folder, { recursive: true })
console.log(
  `server/data/scalar.js.gz is ${version}; name it in server/data/scalar.LICENSE.txt and run the tests`,
)
