import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { OPERATIONS } from '@parley/contract'
import { defineConfig } from 'vite'
import { serviceWorker } from './vite-worker.mjs'

const TABLE = 'virtual:operations'

/** Method and path of every operation. The contract itself would bring all of its schemas into the bundle. */
function operationTable() {
  const rows = OPERATIONS.filter((operation) => !operation.external && !operation.root).map(
    ({ id, method, path }) => [id, [method, path]],
  )
  return {
    name: 'operation-table',
    resolveId: (id) => (id === TABLE ? `\0${TABLE}` : null),
    load: (id) =>
      id === `\0${TABLE}` ? `export const table = ${JSON.stringify(Object.fromEntries(rows))}` : null,
  }
}

/** The emoji of a language, printed by scripts/print-emoji.mjs. */
function emojiData() {
  const localeOf = (id) => /^\0?virtual:emoji-(en|ru)$/.exec(id)?.[1]
  const read = (locale) => readFileSync(new URL(`data/emoji-${locale}.json`, import.meta.url), 'utf8')
  return {
    name: 'emoji-data',
    resolveId: (id) => (localeOf(id) ? `\0${id}` : null),
    load(id) {
      const locale = localeOf(id)
      return locale ? `export const emoji = ${read(locale)}` : null
    },
  }
}

/** A script that loads the texts at once, and not after the others have been loaded and run. */
function earlyWords(bundle) {
  const nameOf = (locale) =>
    Object.values(bundle)
      .find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/words/${locale}/index.ts`))
      .fileName.replace('assets/', './')
  const source = `import(/^ru/i.test(navigator.language)?"${nameOf('ru')}":"${nameOf('en')}")`
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
  return { type: 'asset', fileName: `assets/early-${hash}.js`, source }
}

/** Asks early for the texts and for the letters of the first paint, which would else be laid out twice. */
function askEarly() {
  return {
    name: 'ask-early',
    apply: 'build',
    generateBundle(_, bundle) {
      this.emitFile(earlyWords(bundle))
    },
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }) {
        const letters = Object.keys(bundle).find((name) => /inter-latin-wght.*woff2$/.test(name))
        const font = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true }
        const words = { type: 'module', async: true, src: `/${earlyWords(bundle).fileName}` }
        return [
          { tag: 'script', attrs: words, injectTo: 'head-prepend' },
          { tag: 'link', attrs: { ...font, href: `/${letters}`, fetchpriority: 'low' }, injectTo: 'head' },
        ]
      },
    },
  }
}

const LAYERS = '@layer tokens,base,ui,parts;'

/** Every style sheet names the order of the layers: screens load theirs in any order, also before the first one. */
function layerOrder() {
  return {
    name: 'layer-order',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = LAYERS + file.source
    },
  }
}

const COMPRESSED_FROM = 1024

/** Writes `.br` and `.gz` beside what can be compressed, so that the server has nothing to compute. */
function compressed() {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      const folder = fileURLToPath(new URL('dist/', import.meta.url))
      for (const name of readdirSync(folder, { recursive: true })) {
        const path = join(folder, name)
        if (!/\.(js|css|html|svg|json|webmanifest)$/.test(name) || statSync(path).size < COMPRESSED_FROM)
          continue
        const content = readFileSync(path)
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        }
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params }))
      }
    },
  }
}

/** One file of what every screen uses: dozens of small ones cost more than they save. */
const SHARED = {
  name: 'shared',
  test: /[\\/]src[\\/]((ui|platform|style|people|frame)[\\/]|account[\\/](account-page|enter|refusals|leaving)\.|settings[\\/]actions\.|chats[\\/](actions|section)|words[\\/].*plural\.)/,
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../node_modules/.cache/vite/', import.meta.url)),
  plugins: [operationTable(), emojiData(), askEarly(), layerOrder(), serviceWorker(), compressed()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: {
    alias: {
      react: 'preact/compat',
      'react-dom': 'preact/compat',
      'react/jsx-runtime': 'preact/jsx-runtime',
    },
  },
  build: {
    target: ['chrome125', 'firefox128', 'safari18'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      // virtua marks itself for server-side React, which means nothing here.
      output: { codeSplitting: { groups: [SHARED] } },
      onLog: (level, log, handle) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && handle(level, log),
    },
    chunkSizeWarningLimit: 300,
  },
  server: {
    proxy: { '/v1': 'http://127.0.0.1:8080', '/storage': 'http://127.0.0.1:8080' },
  },
})
