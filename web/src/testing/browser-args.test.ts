import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const file = new URL('../../testing/browser-args.mjs', import.meta.url).href
const { BROWSER_ARGS } = (await import(file)) as { BROWSER_ARGS: readonly string[] }

/** Playwright exports its flags nowhere. */
function offInPlaywright(): string[] {
  const folder = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))
  const source = readFileSync(join(folder, 'lib/coreBundle.js'), 'utf8')
  const [, list = ''] = /\bdisabledFeatures = \[([^\]]*)\]/.exec(source) ?? []
  return [...list.matchAll(/^\s*"(\w+)",?$/gm)].map(([, name]) => String(name))
}

test('the browser of the tests leaves off whatever Playwright leaves off', () => {
  const off = offInPlaywright()
  const ours = BROWSER_ARGS.flatMap((arg) => arg.split('--disable-features=')[1]?.split(',') ?? [])

  assert.ok(off.includes('PaintHolding'))
  assert.deepEqual(ours.slice(0, off.length), off)
})
