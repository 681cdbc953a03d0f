import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCsv } from './csv.js'

test('cells are quoted where they have to be, and none is a formula', () => {
  const rows = [
    ['x,"y"', '=1+1'],
    [{ id: 1 }, 7],
  ]
  assert.equal(writeCsv(['a', 'b'], rows), `a,b\r\n"x,""y""",'=1+1\r\n"{""id"":1}",7\r\n`)
})
