import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extensionOf, fileName } from './file-name.js'

test('a file name is shown as what it is', () => {
  const cases: [string, string][] = [
    ['report.pdf', 'report.pdf'],
    ['отчёт за май.pdf', 'отчёт за май.pdf'],
    ['invoice\u202efdp.exe', 'invoice fdp.exe'],
    ['\u2067a\u2069.txt', 'a .txt'],
    ['two\nlines\r\n.txt', 'two lines .txt'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\run.exe', 'run.exe'],
    ['a/..', 'a/..'],
    ['\u0000\u0007', '—'],
    ['<img src=x onerror=alert(1)>.png', '<img src=x onerror=alert(1)>.png'],
  ]
  for (const [given, shown] of cases) assert.equal(fileName(given), shown)
  assert.equal(fileName(`${'ы'.repeat(125)}.txt`).length, 129)
})

test('the label of a file has no more than an extension', () => {
  assert.equal(extensionOf('a.tar.gz'), 'gz')
  assert.equal(extensionOf('.profile'), '')
  assert.equal(extensionOf('a.<b>'), '')
  assert.equal(extensionOf('photo\u202egpj.exe'), 'exe')
})
