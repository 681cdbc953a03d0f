import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents, type ServerSentEvent } from './sse.js'

test('events are read whole, however the line cuts them', () => {
  const text =
    ': \n\nid: 7\nevent: message.created\ndata: {"a":1}\n\nevent: typing.started\ndata: x\ndata: y\n\n'
  for (let size = 1; size < text.length; size += 1) {
    const heard: ServerSentEvent[] = []
    const feed = readEvents((event) => heard.push(event))
    for (let from = 0; from < text.length; from += size) feed(text.slice(from, from + size))
    assert.deepEqual(heard, [
      { id: null, event: '', data: '' },
      { id: '7', event: 'message.created', data: '{"a":1}' },
      { id: null, event: 'typing.started', data: 'x\ny' },
    ])
  }
})
