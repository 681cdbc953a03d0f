import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openapi } from './openapi.js'

interface Node {
  $ref?: string
  properties?: Record<string, { description?: string; $ref?: string }>
}
type Document = Record<string, Record<string, unknown>> & {
  components: { schemas: Record<string, Node> }
  webhooks: Record<string, unknown>
}

const document = openapi('1.0.0') as unknown as Document
const { schemas } = document.components

/** Every object of the document, with the name of the shape it stands in. */
function* nodes(part: unknown, shape = 'a path'): Generator<[Node, string]> {
  if (typeof part !== 'object' || part === null) return
  yield [part as Node, shape]
  for (const value of Object.values(part)) yield* nodes(value, shape)
}

function* everywhere() {
  for (const [name, shape] of Object.entries(schemas)) yield* nodes(shape, name)
  yield* nodes([document.paths, document.webhooks])
}

test('every property of the document is described', () => {
  const silent = new Set<string>()
  for (const [{ properties }, shape] of everywhere())
    for (const [name, field] of Object.entries(properties ?? {}))
      if (typeof field === 'object' && !field.description) silent.add(`${shape}.${name}`)
  assert.deepEqual([...silent], [], 'describe it in its shape, or in field-texts.ts')
})

test('every reference leads to a shape, every shape is referred to, and plain strings have no name', () => {
  const used = new Set<string>()
  for (const [{ $ref }] of everywhere()) if ($ref) used.add($ref.replace('#/components/schemas/', ''))
  assert.deepEqual([...used].sort(), Object.keys(schemas).sort())
  for (const name of ['TimeInput', 'Id', 'Cursor']) assert.equal(schemas[name], undefined)
  assert.equal(schemas.Message?.properties?.content?.$ref, undefined)
})

test('every webhook has its payload, and the live stream its events', () => {
  for (const name of ['message_new', 'button_click', 'view_submit', 'message_link_shared', 'export_ready'])
    assert.match(
      JSON.stringify(document.webhooks[name]),
      /"\$ref":"#\/components\/schemas\/\w+WebhookPayload"/,
    )
  const live = JSON.stringify(document.paths?.['/live'])
  assert.match(live, /"text\/event-stream":\{"schema":\{"\$ref":"#\/components\/schemas\/LiveEvent"\}\}/)
  assert.ok(schemas.MessageCreatedEvent)
})
