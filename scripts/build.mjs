// Turns TypeScript into JavaScript, package by package, where sources are newer than what was built from them.
// Types are checked by `npm run check`, which takes ten times as long.
import { spawn } from 'node:child_process'
import { cpSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGES = ['contract', 'sdk', 'postgres', 'imports', 'server', 'cli', 'web']
const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace(/package\.json$/, 'bin/tsc')

/** Where each package's compiled code goes; `web/dist` is the bundle that browsers load. */
const outputOf = (name) => join(root, name, name === 'web' ? 'compiled' : 'dist')

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function isNewer(folder, built) {
  const sources = readdirSync(folder, { recursive: true, withFileTypes: true })
  return sources.some((entry) => modified(join(entry.parentPath ?? entry.path, entry.name)) > built)
}

function isStale(name) {
  const built = modified(join(outputOf(name), '.built'))
  return built === 0 || isNewer(join(root, name, 'src'), built)
}

/** Bots outside this repository compile against the types of the kit. */
const WITH_TYPES = ['sdk']

function transpile(name) {
  const declaration = String(WITH_TYPES.includes(name))
  const plain = ['--noCheck', '--composite', 'false', '--declaration', declaration, '--incremental', 'false']
  const started = new Date()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tsc, '-p', join(root, name), ...plain], { stdio: 'inherit' })
    child.on('exit', (code) => {
      if (code !== 0) return reject(new Error(`${name} could not be built`))
      writeFileSync(join(outputOf(name), '.built'), started.toISOString())
      resolve()
    })
  })
}

/** The bundle holds parts of the contract and of the packages in the lockfile, and is stale when those changed. */
function isBundleStale() {
  const built = modified(join(root, 'web', 'dist', 'index.html'))
  const files = ['package-lock.json', 'web/index.html', 'web/vite.config.mjs']
  if (built === 0 || files.some((file) => modified(join(root, file)) > built)) return true
  return ['web/src', 'web/public', 'contract/src'].some((folder) => isNewer(join(root, folder), built))
}

/** The kit is printed from the contract. */
function isKitStale() {
  const printed = modified(join(root, 'sdk/src/generated/types.ts'))
  return modified(join(outputOf('contract'), '.built')) > printed
}

if (isStale('contract')) await transpile('contract')
if (isKitStale()) await (await import('./print-kit.mjs')).printKit()
await Promise.all(PACKAGES.filter(isStale).map(transpile))
// The reference shows the guides.
cpSync(join(root, 'docs/guides'), join(root, 'server/dist/guides'), { recursive: true })
if (isBundleStale()) await (await import('../web/bundle.mjs')).bundle()
