import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundError } from './error.js'
import { createGuard } from './guard.js'

const guard = createGuard({ allow: [], allowLoopback: false })

function kindFor(url: string, by = guard) {
  try {
    by.url(url)
    return 'ok'
  } catch (error) {
    assert(error instanceof OutboundError)
    return error.kind
  }
}

test('private targets are refused in every spelling', () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '017700000001',
    '0177.0.0.01',
    '0x7f000001',
    '0x7f.0.0.1',
    '0x7f.1',
    '127.0.0.1.',
    '１２７.0.0.1',
    '%31%32%37.0.0.1',
    'localhost',
    'LOCALHOST.',
    'deep.localhost',
    '0.0.0.0',
    '0',
    '10.0.0.1',
    '172.16.3.4',
    '172.31.255.255',
    '192.168.1.1',
    '3232235777',
    '169.254.169.254',
    '0xa9fea9fe',
    '100.64.0.1',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:10.0.0.1]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2002:c0a8:101::1]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[ff02::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[4000::1]',
  ]
  for (const host of hosts) assert.equal(kindFor(`http://${host}:8080/x`), 'refused_target', host)
})

test('URLs of another form are refused', () => {
  const urls = [
    '',
    'example.com',
    '//example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://',
    'http://user@example.com/',
    'http://user:secret@example.com/',
    'http://[fe80::1%25eth0]/',
    'http://[fe80::1%eth0]/',
    'http://256.256.256.256/',
    'http://1.2.3.4.5/',
    'http://exa mple.com/',
    'http://example.com:70000/',
  ]
  for (const url of urls) assert.equal(kindFor(url), 'invalid_url', url)
})

test('public targets pass', () => {
  const hosts = [
    'example.com',
    '8.8.8.8',
    '134744072',
    '[2606:4700::1111]',
    '[64:ff9b::808:808]',
    '[::ffff:8.8.8.8]',
  ]
  for (const host of hosts) assert.equal(kindFor(`https://${host}/`), 'ok', host)
})

test('a list opens single ranges, addresses and hosts, and nothing beside them', () => {
  const open = createGuard({
    allow: ['10.1.0.0/16', '192.168.0.7', 'fd00::/8', 'Hooks.Internal'],
    allowLoopback: false,
  })

  assert.equal(kindFor('http://10.1.2.3/', open), 'ok')
  assert.equal(kindFor('http://[::ffff:10.1.2.3]/', open), 'ok')
  assert.equal(kindFor('http://192.168.0.7/', open), 'ok')
  assert.equal(kindFor('http://[fd00::5]/', open), 'ok')
  assert.doesNotThrow(() => open.address('hooks.internal.', '10.9.9.9'))

  assert.equal(kindFor('http://10.2.0.1/', open), 'refused_target')
  assert.equal(kindFor('http://192.168.0.8/', open), 'refused_target')
  assert.equal(kindFor('http://[fe80::1]/', open), 'refused_target')
  assert.throws(() => open.address('other.internal', '10.9.9.9'), { kind: 'refused_target' })
  assert.throws(() => open.address('other.internal', 'nonsense'), { kind: 'refused_target' })
})

test('loopback is open where the server says so, other private ranges are not', () => {
  const open = createGuard({ allow: [], allowLoopback: true })

  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1']) {
    assert.equal(kindFor(`http://${host}/`, open), 'ok', host)
  }
  for (const host of ['0.0.0.0', '10.0.0.1', '[64:ff9b::127.0.0.1]', '[2002:7f00:1::]']) {
    assert.equal(kindFor(`http://${host}/`, open), 'refused_target', host)
  }
})

test('an entry that is no range stops the start', () => {
  assert.throws(() => createGuard({ allow: ['10.0.0.0/99'], allowLoopback: false }))
})
