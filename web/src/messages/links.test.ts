import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostOf, webAddress } from './links.js'

test('a preview leads to the web or nowhere', () => {
  assert.equal(webAddress('https://example.org/a b'), 'https://example.org/a%20b')
  for (const url of [
    'javascript:pwned()',
    ' \tjava\nscript:pwned()',
    'data:text/html,<script>pwned()</script>',
    'vbscript:x',
    'blob:https://example.org/1',
    'file:///etc/passwd',
    '//example.org',
    'no address',
  ])
    assert.equal(webAddress(url), null, url)
})

test('the host of a look-alike is shown as what it is', () => {
  assert.equal(hostOf('https://example.org@evil.example/x'), 'evil.example')
  assert.match(hostOf('https://ехаmple.org/'), /^xn--/)
})
