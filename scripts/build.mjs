// Turns TypeScript into JavaScript, package by package, where sources are newer than what was built from them.
// Types are checked by `npm run check`, which takes ten times as long.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGES = ['contract', 'sdk', 'postgres', 'imports', 'server', 'cli', 'web', 'conformance']
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

/** Bots outside this repository compile against the types of the kit, which the compiler alone can print. */
const WITH_TYPES = ['sdk']

function compile(name) {
  const plain = ['--noCheck', '--composite', 'false', '--declaration', 'true', '--incremental', 'false']
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tsc, '-p', join(root, name), ...plain], { stdio: 'inherit' })
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${name} could not be built`))))
  })
}

/** As the compiler does with `verbatimModuleSyntax` and `isolatedModules`. */
const STRIP = {
  sourceType: 'module',
  target: 'es2023',
  sourcemap: true,
  tsconfig: false,
  typescript: { onlyRemoveTypeImports: true },
  jsx: { runtime: 'automatic', importSource: 'preact' },
}

async function stripFile(transform, source, output) {
  const { code, map, errors } = await transform(source, readFileSync(source, 'utf8'), STRIP)
  if (errors.length > 0)
    throw new Error(errors.map(({ message, codeframe }) => codeframe ?? message).join('\n'))
  mkdirSync(dirname(output), { recursive: true })
  const place = relative(dirname(output), source).replaceAll('\\', '/')
  writeFileSync(`${output}.map`, JSON.stringify({ ...map, file: basename(output), sources: [place] }))
  writeFileSync(output, `${code}//# sourceMappingURL=${basename(output)}.map`)
}

/** Removes the types, file by file: a fifth of the compiler's time for a whole package, and only files that changed. */
async function strip(name) {
  const { transform } = await import('rolldown/utils')
  const sources = readdirSync(join(root, name, 'src'), { recursive: true }).filter((file) =>
    /(?<!\.d)\.tsx?$/.test(file),
  )
  await Promise.all(
    sources.map((file) => {
      const source = join(root, name, 'src', file)
      const output = join(outputOf(name), file.replace(/\.tsx?$/, '.js'))
      return modified(output) > modified(source) ? undefined : stripFile(transform, source, output)
    }),
  )
}

async function transpile(name) {
  const started = new Date()
  await (WITH_TYPES.includes(name) ? compile(name) : strip(name))
  writeFileSync(join(outputOf(name), '.built'), started.toISOString())
}

/** The bundle holds parts of the contract and of the packages in the lockfile, and is stale when those changed. */
function isBundleStale() {
  const built = modified(join(root, 'web', 'dist', 'index.html'))
  const files = ['package-lock.json', 'web/index.html', 'web/vite.config.mjs', 'web/vite-worker.mjs']
  if (built === 0 || files.some((file) => modified(join(root, file)) > built)) return true
  return ['web/src', 'web/data', 'web/public', 'contract/src'].some((folder) =>
    isNewer(join(root, folder), built),
  )
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
