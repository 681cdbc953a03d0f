/** Runs in a thread of its own, which is ended when a template takes too long or too much. */
import { parentPort } from 'node:worker_threads'
import { Liquid } from 'liquidjs'
import mustache from 'mustache'
import { giveWay } from '../../platform/priority.js'
import { READY, type RenderAnswer, type RenderRequest } from './render-messages.js'

giveWay()
const liquid = new Liquid({
  ownPropertyOnly: true,
  strictFilters: true,
  parseLimit: 100_000,
  renderLimit: 400,
  memoryLimit: 4_000_000,
  // No template reads another: there are no files.
  templates: {},
})

/** Looks at what the body holds, and at nothing that its objects inherit. */
class OwnContext extends mustache.Context {
  override push(view: unknown): OwnContext {
    return new OwnContext(view, this)
  }

  override lookup(name: string): unknown {
    if (name === '.') return this.view
    const [first = '', ...rest] = name.split('.')
    let context: mustache.Context | undefined = this
    while (context && !owns(context.view, first)) context = context.parent
    let value: unknown = context?.view
    for (const part of context ? [first, ...rest] : []) value = owns(value, part) ? value[part] : undefined
    return value
  }
}

function owns(value: unknown, name: string): value is Record<string, unknown> {
  return value !== undefined && value !== null && Object.hasOwn(value, name)
}

function render({ engine, template, body }: RenderRequest): string {
  if (engine === 'liquid') return liquid.parseAndRenderSync(template, body)
  return mustache.render(template, new OwnContext(body), undefined, { escape: (value) => String(value) })
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
