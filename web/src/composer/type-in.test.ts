import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { typeIn } from './type-in.js'

/** As much of a text field as is written in. */
class Field extends EventTarget {
  heard: string[] = []
  selected = [0, 0]
  constructor(public value: string) {
    super()
    this.addEventListener('input', () => this.heard.push(this.value))
  }
  focus() {}
  setSelectionRange(start: number, end: number) {
    this.selected = [start, end]
  }
  setRangeText(piece: string, start: number, end: number) {
    this.value = this.value.slice(0, start) + piece + this.value.slice(end)
  }
}

/** A browser that runs commands as it is told here. */
function withCommands(t: TestContext, execCommand: (command: string, _: boolean, piece?: string) => boolean) {
  const page = globalThis as { document?: unknown }
  page.document = { execCommand }
  t.after(() => delete page.document)
}

test('a text is put in by a command that can be undone', (t) => {
  const field = new Field('make it bold')
  const ran: unknown[] = []
  withCommands(t, (command, _, piece = '') => {
    ran.push([command, piece, field.selected])
    field.setRangeText(piece, ...(field.selected as [number, number]))
    return field.dispatchEvent(new Event('input'))
  })
  typeIn(field as never, 'make it **bold**')
  typeIn(field as never, 'make it')
  typeIn(field as never, 'make it')
  assert.deepEqual(ran, [
    ['insertText', '**bold**', [8, 12]],
    ['delete', '', [7, 16]],
  ])
  assert.deepEqual(field.heard, ['make it **bold**', 'make it'])
})

const UNABLE: Record<string, () => boolean> = {
  'refuses the command': () => false,
  'says that it ran and did nothing': () => true,
  'has no such command': undefined as never,
}

for (const [what, execCommand] of Object.entries(UNABLE))
  test(`where the browser ${what}, the text is put in all the same and told of once`, (t) => {
    withCommands(t, execCommand)
    const field = new Field('make it bold')
    typeIn(field as never, 'make it **bold**')
    typeIn(field as never, 'make it')
    assert.deepEqual(field.heard, ['make it **bold**', 'make it'])
  })
