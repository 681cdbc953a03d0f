/** Runs in a thread of its own, which is ended when a template takes too long or too much. */
import { parentPort } from 'node:worker_threads'
import { Liquid } from 'liquidjs'
import mustache from 'mustache'
import { READY, type RenderAnswer, type RenderRequest } from './render-messages.js'

const liquid = new Liquid({
  ownPropertyOnly: true,
  strictFilters: true,
  parseLimit: 100_000,
  renderLimit: 400,
  memoryLimit: 4_000_000,
  // No template reads another: there are no files.
  templates: {},
})

function render({ engine, template, body }: RenderRequest): string {
  if (engine === 'liquid') return liquid.parseAndRenderSync(template, body)
  return mustache.render(template, body, undefined, { escape: (value) => String(value) })
}

parentPort?.on('message', (request: RenderRequest) => {
  const { id } = request
  try {
    parentPort?.postMessage({ id, text: render(request) } satisfies RenderAnswer)
  } catch (error) {
    const [line = 'unknown'] = (error instanceof Error ? error.message : String(error)).split('\n')
    parentPort?.postMessage({ id, error: line.slice(0, 500) } satisfies RenderAnswer)
  }
})

parentPort?.postMessage(READY)
