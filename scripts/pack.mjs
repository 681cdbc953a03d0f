// Makes the packages that are published: npm run pack -- [folder]. Prebuilt, without sources, tests and development tools.
// @parley/cli is the whole server with its command; our own workspaces are bundled inside it. @parley/sdk is the bot kit alone.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (name) => JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'))
const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const PREFIX = '@parley/'

/** What a package needs at run time beside its dependencies. */
const PARTS = ['dist', 'data', 'migrations', 'bin', 'README.md']

/** `dist` may hold what was built from sources that are gone. */
function isBuiltFromSource(path) {
  const [, workspace, file] =
    /^(\w+)\/dist\/(.*?)\.(?:d\.ts|js)$/.exec(relative(root, path).replaceAll('\\', '/')) ?? []
  return !workspace || workspace === 'web' || existsSync(join(root, workspace, 'src', `${file}.ts`))
}

function isNeeded(path) {
  const name = basename(path)
  if (!isBuiltFromSource(path)) return false
  return (
    !/\.(test|map|d)\b|\.tsbuildinfo$|^testing(-|\.js$|$)|^\.built$|^guides$/.test(name) ||
    path.endsWith('dist/guides')
  )
}

function copyParts(name, target, wanted = isNeeded) {
  mkdirSync(target, { recursive: true })
  for (const part of PARTS.filter((one) => existsSync(join(root, name, one))))
    cpSync(join(root, name, part), join(target, part), { recursive: true, filter: wanted })
}

/** Our own packages that this one needs, and those that they need. */
function ownOf(name, seen = new Set()) {
  for (const dependency of Object.keys(read(name).dependencies ?? {})) {
    const own = dependency.startsWith(PREFIX) && dependency.slice(PREFIX.length)
    if (own && !seen.has(own)) ownOf(own, seen.add(own))
  }
  return [...seen]
}

function others(dependencies = {}) {
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => !name.startsWith(PREFIX)))
}

function write(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

const about = { version, license, type: 'module', engines }

function stageServer(folder) {
  copyParts('cli', folder)
  cpSync(join(root, 'README.md'), join(folder, 'README.md'))
  const own = ownOf('cli')
  const all = [read('cli'), ...own.map(read)]
  for (const name of own) {
    const target = join(folder, 'node_modules', PREFIX, name)
    copyParts(name, target)
    // What they need stands in the manifest of the whole.
    const { dependencies, devDependencies, optionalDependencies, scripts, ...manifest } = read(name)
    writeFileSync(join(target, 'package.json'), JSON.stringify({ ...manifest, version }))
  }
  write(folder, {
    name: '@parley/cli',
    description: 'A self-hosted team messenger: server, web client and command.',
    ...about,
    bin: read('cli').bin,
    exports: read('cli').exports,
    dependencies: {
      ...Object.assign({}, ...all.map(({ dependencies }) => others(dependencies))),
      ...Object.fromEntries(own.map((name) => [PREFIX + name, version])),
    },
    optionalDependencies: Object.assign({}, ...all.map(({ optionalDependencies }) => optionalDependencies)),
    bundleDependencies: own.map((name) => PREFIX + name),
  })
}

function stageKit(folder) {
  // The client over contract values needs the contract, which is not published.
  const isKit = (path) =>
    isBuiltFromSource(path) &&
    !/contract(-client)?\.(d\.ts|js)$|\.(test|map)\b|^\.built$|\.tsbuildinfo$/.test(basename(path))
  copyParts('sdk', folder, isKit)
  write(folder, {
    name: '@parley/sdk',
    description: 'Bots for Parley: handlers, webhooks, polling, and every operation as a typed method.',
    ...about,
    engines: { node: '>=20.3' },
    sideEffects: false,
    exports: { '.': './dist/index.js', './package.json': './package.json' },
  })
}

/** Packs what is staged and gives the path of the file. */
function pack(stage, target) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-pack-'))
  try {
    stage(folder)
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', target]
    const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(
      execFileSync('npm', args, {
        cwd: folder,
        maxBuffer: 64 * 1024 * 1024,
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    )
    return { file: join(target, filename), size, unpackedSize, entryCount }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const target = resolve(process.argv[2] ?? join(root, 'packages'))
mkdirSync(target, { recursive: true })
for (const stage of [stageServer, stageKit]) {
  const { file, size, unpackedSize, entryCount } = pack(stage, target)
  const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
  console.log(`${file}: ${entryCount} files, ${mb(size)} packed, ${mb(unpackedSize)} unpacked`)
}
