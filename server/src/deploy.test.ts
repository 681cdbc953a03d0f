import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { CONFIG_NAMES, readConfig } from './platform/config.js'

const FOLDER = new URL('../../deploy/', import.meta.url)

async function readAll() {
  const names = (await readdir(FOLDER, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  return Promise.all(
    names.map(async ({ name, parentPath }) => ({
      name,
      text: await readFile(`${parentPath}/${name}`, 'utf8'),
    })),
  )
}

/** What a file sets, in any of the three forms: `NAME: value`, `NAME=value`, `{ name: NAME, value: value }`. */
function settingsOf(text: string): [name: string, value: string][] {
  const plain = text.matchAll(/^\s*(?:Environment=)?([A-Z][A-Z0-9_]+)(?:: |=)(.+)$/gm)
  const listed = text.matchAll(/\{ name: ([A-Z][A-Z0-9_]+), value: (.+?) \}/g)
  return [...plain, ...listed].map(([, name = '', value = '']) => [name, value.replace(/^"(.*)"$/, '$1')])
}

/** Those of other programs; everything else must be ours. */
const isForeign = (name: string) => /^(POSTGRES|MINIO)_/.test(name)

test('what the files of deploy/ set are settings that exist, with values that are taken', async () => {
  const files = await readAll()
  let count = 0
  for (const { name: file, text } of files) {
    const settings = settingsOf(text).filter(([name]) => !isForeign(name))
    for (const [name] of settings)
      assert.ok(CONFIG_NAMES.includes(name.replace(/_FILE$/, '') as never), `${file}: ${name} is no setting`)
    // Values that are filled in later are not judged.
    const given = settings.filter(([name, value]) => !name.endsWith('_FILE') && !/[$%]|\{\{/.test(value))
    const whole = { PARLEY_S3_ENDPOINT: 'http://s', PARLEY_S3_BUCKET: 'b', PARLEY_S3_ACCESS_KEY_ID: 'k' }
    readConfig({ ...whole, PARLEY_S3_SECRET_ACCESS_KEY: 's', ...Object.fromEntries(given) })
    count += settings.length
  }
  assert.ok(count > 40, `${count} settings were found`)
})

test('all three forms run the same processes: web, and workers that tell how they are', async () => {
  const files = await readAll()
  for (const [form, pattern] of [
    ['compose', /^compose\.yaml$/],
    ['systemd', /\.service$/],
    ['chart', /^(processes|values)\.yaml$/],
  ] as const) {
    const text = files.flatMap((file) => (pattern.test(file.name) ? [file.text] : [])).join('\n')
    assert.match(text, /PARLEY_RUN/, form)
    assert.match(text, /worker/, form)
    assert.match(text, /web/, form)
    assert.match(text, /PARLEY_HEALTH_PORT/, form)
  }
})
