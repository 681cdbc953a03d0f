import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { IMPORT_REASONS, importReasonOf } from '@parley/contract'

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
