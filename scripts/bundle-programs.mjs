// Bundles the programs that tests start as child processes, as `npm run pack` bundles the server: they load in a third of the time.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { isExternal } from './bundle-server.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** By the names that tests ask for: see server/src/testing/program.ts. */
const PROGRAMS = {
  parley: 'cli/dist/main.js',
  'worker-process': 'server/dist/testing/worker-process.js',
  'import-process': 'server/dist/imports/testing-process.js',
  'stuck-relay': 'server/dist/testing/stuck-relay.js',
}

/** Files that a module finds beside itself stay where they are: data, migrations, the code of threads. */
function keepPlaces(output) {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!code.includes('import.meta.url')) return null
      const place = JSON.stringify(relative(output, id).replaceAll('\\', '/'))
      return {
        code: code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`),
        map: null,
      }
    },
  }
}

/** Writes the bundles, and gives their folder. */
export async function bundlePrograms() {
  const output = `${root}node_modules/.cache/programs/`
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(PROGRAMS).map(([name, path]) => [name, root + path])),
    platform: 'node',
    external: isExternal,
    plugins: [keepPlaces(output)],
    logLevel: 'silent',
  })
  await build.write({ dir: output, format: 'esm', cleanDir: true })
  await build.close()
  return output
}
