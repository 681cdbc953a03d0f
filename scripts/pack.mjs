// Makes the packages that are published: npm run pack -- [folder]. Prebuilt, without sources, tests and development tools.
// @parley/cli is the whole server with its command and all packages that it uses, save native ones, in one bundle. @parley/sdk is the bot kit alone,
// @parley/conformance the laws of the API in one file.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleConformance, bundleServer, isNative } from './bundle-server.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (name) => JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'))
const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** What a package needs at run time beside its dependencies. */
const PARTS = ['dist', 'data', 'migrations', 'bin', 'README.md']

/** `dist` may hold what was built from sources that are gone. */
function isBuiltFromSource(path) {
  const [, workspace, file] =
    /^(\w+)\/dist\/(.*?)\.(?:d\.ts|js)$/.exec(relative(root, path).replaceAll('\\', '/')) ?? []
  return !workspace || workspace === 'web' || existsSync(join(root, workspace, 'src', `${file}.ts`))
}

/** Everything but the code, which is in the bundle. */
function isData(path) {
  const inside = relative(root, path).replaceAll('\\', '/')
  return !/^\w+\/dist\/(?!guides)/.test(inside) && isNeeded(path)
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

function write(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

const about = { version, license, type: 'module', engines }

/** Those of our packages whose code or data the server runs. */
const SERVER = ['cli', 'contract', 'imports', 'postgres', 'server']

async function stageServer(folder) {
  await bundleServer(folder)
  copyParts('server', join(folder, 'server'), isData)
  copyParts('imports', join(folder, 'imports'), isData)
  copyParts('cli', join(folder, 'cli'), isData)
  copyParts('web', join(folder, 'web'))
  cpSync(join(root, 'README.md'), join(folder, 'README.md'))
  // The server reads its version there.
  writeFileSync(join(folder, 'server/package.json'), JSON.stringify({ type: 'module', version }))
  const all = SERVER.map(read)
  const native = all.flatMap((one) => Object.keys(one.dependencies ?? {})).filter(isNative)
  write(folder, {
    name: '@parley/cli',
    description: 'A self-hosted team messenger: server, web client and command.',
    ...about,
    bin: { parley: 'cli/bin/parley.mjs' },
    exports: { '.': './cli/dist/main.js', './package.json': './package.json' },
    // The versions that were tested.
    dependencies: Object.fromEntries(native.map((name) => [name, read(`node_modules/${name}`).version])),
    optionalDependencies: Object.assign({}, ...all.map((one) => one.optionalDependencies)),
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

async function stageConformance(folder) {
  await bundleConformance(join(folder, 'dist'))
  for (const part of ['bin', 'requirements', 'README.md'])
    cpSync(join(root, 'conformance', part), join(folder, part), { recursive: true })
  write(folder, {
    name: '@parley/conformance',
    description: 'Tries the laws of the Parley API against a server of it.',
    ...about,
    bin: read('conformance').bin,
  })
}

/** Packs what is staged and gives the path of the file. */
async function pack(stage, target) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-pack-'))
  try {
    await stage(folder)
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
for (const stage of [stageServer, stageKit, stageConformance]) {
  const { file, size, unpackedSize, entryCount } = await pack(stage, target)
  const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
  console.log(`${file}: ${entryCount} files, ${mb(size)} packed, ${mb(unpackedSize)} unpacked`)
}
