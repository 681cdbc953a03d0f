import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { IMPORT_LOST, IMPORT_REASONS, importFaultOf, importLostOf, importReasonOf } from '@parley/contract'

const folders = ['../../../server/src/imports', '../../../imports/src'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

/** Texts of readers and writers: tests and those who make archives for them are left out. */
function sources(): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.ts$/.test(name) && !/test|archive\/|verify/.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  )
}

const REASON =
  /(?:remark\(\s*'\w+',\s*(?:'\w+'|[\w.]+),\s*|skip\((?:row, )?|FetchError\(|missing: )(?:[^'`\n]*\? )?['`]([^'`]+)['`](?: : '([^']+)')?/g

test('every reason that an import gives has a code, and every code a reason that is given', () => {
  const texts = sources()
  const given = texts.flatMap((text) =>
    [...text.matchAll(REASON)].flatMap(([, one, other]) => [one, other].flatMap((reason) => reason ?? [])),
  )
  assert.ok(given.length > 60, String(given.length))
  const plain = given.map((reason) => reason.replaceAll(/\$\{[^}]*\}/g, 'x'))
  assert.deepEqual(
    plain.filter((reason) => importReasonOf(reason).code === null),
    [],
  )
  const all = texts.join('\n')
  const unused = Object.values(IMPORT_REASONS).filter(
    (reason) => !all.includes(reason.split('{}')[0] as string),
  )
  assert.deepEqual(unused, [])
})

test('a reason gives its code and its detail', () => {
  assert.deepEqual(importReasonOf('is a system message'), { code: 'system_message', detail: null })
  assert.deepEqual(importReasonOf('is of the kind canvas'), { code: 'kind_skipped', detail: 'canvas' })
  assert.deepEqual(importReasonOf('/name must be string'), { code: null, detail: null })
})

test('what a source never holds has a code, and so has every fault that ends an order', () => {
  const all = sources().join('\n')
  const lists = [...all.matchAll(/(?:LOST = |lost: )\[([^\]]*)\]/g)].map(([, list]) => list as string)
  const lost = lists.flatMap((list) =>
    [...list.matchAll(/'([^'\n]+)'|"([^"\n]+)"/g)].map(([, one, other]) => one ?? other ?? ''),
  )
  assert.deepEqual(
    lost.filter((text) => importLostOf(text).code === null),
    [],
  )
  const unused = Object.values(IMPORT_LOST).filter((text) => !lost.includes(text))
  assert.deepEqual(unused, [])
  const faults = [...all.matchAll(/ImportError\(\s*['`]([^\n]+)['`],?\s*\)/g)].map(
    ([, text]) => text as string,
  )
  assert.ok(faults.length >= 4, String(faults.length))
  assert.deepEqual(
    faults.filter((text) => importFaultOf(text).code === null),
    [],
  )
})

test('a fault has the code that tells it best', () => {
  assert.deepEqual(importFaultOf('Import 3 (a.zip) is not finished: run it again or undo it first.'), {
    code: 'another_import',
    detail: '3 (a.zip)',
  })
  const none = '/x/a.bin is neither a ZIP, a tar, an archive of mongodump nor a folder'
  assert.equal(importFaultOf(`The archive cannot be imported: ${none}.`).code, 'no_archive')
  assert.deepEqual(importFaultOf('The archive cannot be imported: its end is damaged.'), {
    code: 'refused',
    detail: 'its end is damaged',
  })
})
