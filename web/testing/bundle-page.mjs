// Bundles the client without its screens into one function, so that tests in Node can run it as several tabs at once.
import { fileURLToPath } from 'node:url'
import { OPERATIONS } from '@parley/contract'
import { rolldown } from 'rolldown'

const compiled = fileURLToPath(new URL('../compiled/', import.meta.url))
const TABLE = 'virtual:operations'

function table() {
  const rows = OPERATIONS.map(({ id, method, path }) => [id, [method, path]])
  return `export const table = ${JSON.stringify(Object.fromEntries(rows))}`
}

/** Everything but the modules themselves: the list of them, the table of operations, and no styles. */
function edges(modules) {
  const entry = modules.map((name) => `export * from ${JSON.stringify(compiled + name)}`).join('\n')
  const texts = { entry, [TABLE]: table(), nothing: '' }
  const nameOf = (id) => (id.endsWith('.css') || id.startsWith('virtual:emoji') ? 'nothing' : id)
  return {
    name: 'edges',
    resolveId: (id) => (nameOf(id) in texts ? `\0${nameOf(id)}` : null),
    load: (id) => texts[id.slice(1)] ?? null,
  }
}

/** A function that runs the modules anew with what a browser would offer them, by name, and gives what they export. */
export async function bundlePage(modules, globals) {
  const build = await rolldown({
    input: 'entry',
    platform: 'browser',
    plugins: [edges(modules)],
    transform: { define: { 'import.meta.url': '"build"' } },
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'cjs', codeSplitting: false })
  await build.close()
  const run = new Function('exports', ...globals, output[0].code)
  return (offered) => {
    const exports = {}
    run(exports, ...globals.map((name) => offered[name]))
    return exports
  }
}
