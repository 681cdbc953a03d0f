import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const WORKER = fileURLToPath(new URL('src/worker/main.ts', import.meta.url))
/** Texts are loaded by language, and are part of every first screen. */
const TEXTS = /[\\/]words[\\/](en|ru)[\\/]index\.ts$/

/** The letters, and the script that asks for texts early. */
const OTHERS = /^assets\/(early-|inter-(latin|cyrillic)-wght-normal)[^/]*$/

/** What the first screen loads: the entry, all that it imports at once, its styles, letters, and the texts of both languages. */
function firstFiles(bundle) {
  const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk')
  const found = new Set(
    chunks
      .filter(({ isEntry, facadeModuleId }) => isEntry || TEXTS.test(facadeModuleId ?? ''))
      .map(({ fileName }) => fileName),
  )
  const styles = new Set()
  for (const name of found) {
    const { imports = [], viteMetadata } = bundle[name] ?? {}
    for (const imported of imports) found.add(imported)
    for (const style of viteMetadata?.importedCss ?? []) styles.add(style)
  }
  const others = Object.keys(bundle).filter((name) => OTHERS.test(name))
  return [...found, ...styles, ...others].map((name) => `/${name}`).sort()
}

/** Makes `sw.js`, one file at the root, which knows the files of this build. */
export function serviceWorker() {
  return {
    name: 'service-worker',
    apply: 'build',
    async generateBundle(_, bundle) {
      const files = firstFiles(bundle)
      const name = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 12)
      const made = await build({
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        define: { BUILD: JSON.stringify({ name, files }) },
        build: {
          write: false,
          target: ['chrome125', 'firefox128', 'safari18'],
          rolldownOptions: { input: WORKER, output: { format: 'iife', entryFileNames: 'sw.js' } },
        },
      })
      const [{ code }] = [made].flat()[0].output
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: code })
    },
  }
}
