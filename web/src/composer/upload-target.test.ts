import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uploadTarget } from './upload-target.js'

test('uploads to the own server go where the page came from, and others to their storage', () => {
  assert.equal(uploadTarget('http://127.0.0.1:4380/storage/uploads'), '/storage/uploads')
  for (const url of [
    'https://bucket.example.org/',
    'https://example.org/storage',
    'https://example.org/a?b=c',
  ])
    assert.equal(uploadTarget(url), url)
})
