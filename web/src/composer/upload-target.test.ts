import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uploadKey, uploadName, uploadTarget } from './upload-target.js'

test('uploads to the own server go where the page came from, and others to their storage', () => {
  assert.equal(uploadTarget('http://127.0.0.1:4380/storage/uploads'), '/storage/uploads')
  for (const url of [
    'https://bucket.example.org/',
    'https://example.org/storage',
    'https://example.org/a?b=c',
  ])
    assert.equal(uploadTarget(url), url)
})

test('names with signs of their own are sent as they are, and what no name may hold is replaced', () => {
  const key = 'attaches/files/1/form/${filename}'
  assert.equal(uploadKey(key, 'price $& $$ "now".txt'), 'attaches/files/1/form/price $& $$ "now".txt')
  assert.equal(uploadName('price $& $$ "now" \u{1f600}.txt'), 'price $& $$ "now" \u{1f600}.txt')
  assert.equal(uploadName('a\\b\nc\ud800.txt'), 'a_b_c_.txt')
})
