import {
  AUDIENCES,
  EVENTS,
  type EventKind,
  OPERATIONS,
  type Operation,
  problemCodes,
  problemStatuses,
} from '@parley/contract'
import { escapeHtml } from './escape-html.js'

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  default?: unknown
  maxLength?: number
  maximum?: number
  maxItems?: number
  format?: string
}

function typeText(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ')
  const type = [schema.type ?? 'any'].flat().join(' | ')
  return type.startsWith('array') ? `array of ${typeText(schema.items ?? {})}` : type
}

function limits(schema: Schema): string {
  const parts = [
    schema.maxLength === undefined ? '' : `at most ${schema.maxLength} characters`,
    schema.maximum === undefined ? '' : `at most ${schema.maximum}`,
    schema.maxItems === undefined ? '' : `at most ${schema.maxItems} items`,
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** The fields of a shape, indented by depth. */
function fieldRows(schema: Schema | undefined, depth = 0): string {
  const inner = schema?.properties ? schema : schema?.items?.properties ? schema.items : undefined
  if (!inner?.properties || depth > 4) return ''
  const required = new Set(inner.required ?? [])
  return Object.entries(inner.properties)
    .map(([name, field]) => {
      const must = required.has(name) ? '' : ' <i>optional</i>'
      const remark = [field.description ?? '', limits(field)].filter(Boolean).join(' ')
      const cells = `<td style="padding-left:${depth * 1.2 + 0.3}em"><code>${escapeHtml(name)}</code>${must}</td>`
      const row = `<tr>${cells}<td>${escapeHtml(typeText(field))}</td><td>${escapeHtml(remark)}</td></tr>`
      return row + fieldRows(field, depth + 1)
    })
    .join('')
}

function table(title: string, schema: unknown): string {
  const rows = fieldRows(schema as Schema | undefined)
  return rows ? `<h4>${title}</h4><table>${rows}</table>` : ''
}

function facts(operation: Operation): string {
  const list = [
    operation.scope ? `scope <code>${operation.scope}</code>` : 'no scope',
    operation.roles.length ? `for ${operation.roles.join(', ')}` : 'no token',
    operation.plan ? `plan ${operation.plan}` : '',
    operation.rate ? `rate class ${operation.rate}` : '',
    operation.sessionOnly ? 'login sessions only' : '',
    operation.addition ? 'an addition of Parley' : '',
  ]
  return list.filter(Boolean).join(' · ')
}

function section(operation: Operation): string {
  const { id, method, path, summary, description, access, returns } = operation
  const refusals = problemStatuses(operation)
    .filter((status) => !operation.neverAnswered?.includes(status))
    .map((status) => `${status} ${problemCodes(operation, status).join(', ')}`.trim())
    .join(' · ')
  return [
    `<details id="${id}"><summary><b>${method}</b> <code>${escapeHtml(path)}</code> ${escapeHtml(summary)}</summary>`,
    `<p>${facts(operation)}</p>`,
    ...[description, access].filter((text) => text !== undefined).map((text) => `<p>${escapeHtml(text)}</p>`),
    table('Query', operation.query),
    table('Body', operation.body),
    table(`Answer ${returns.status}`, returns.body),
    returns.body ? '' : `<h4>Answer ${returns.status}</h4>`,
    `<h4>Refusals</h4><p>${escapeHtml(refusals)}</p></details>`,
  ].join('')
}

function eventSection({ type, summary, audience, payload }: EventKind): string {
  return [
    `<details id="${type}"><summary><code>${type}</code> ${escapeHtml(summary)}</summary>`,
    `<p>Audience: ${escapeHtml(AUDIENCES[audience])}</p>`,
    `${table('Payload', payload)}</details>`,
  ].join('')
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
details{border-top:1px solid #d8dee4;padding:.5rem 0}summary{cursor:pointer}table{border-collapse:collapse;width:100%;font-size:.9em}
td{border-top:1px solid #eaeef2;padding:.2rem .3rem;vertical-align:top}code{background:#f3f5f7;padding:0 .2em}h2{margin-top:2rem}
@media(prefers-color-scheme:dark){body{color:#d6dde4;background:#15191e}code{background:#242a31}details,td{border-color:#333b44}}`

/** The whole API on one page that works without scripts. */
export function referencePage(sandbox: boolean): string {
  const shown = OPERATIONS.filter((operation) => sandbox || !operation.sandbox)
  const areas = [...new Set(shown.map(({ area }) => area))]
  const body = areas.map((area) => {
    const list = shown.filter((operation) => operation.area === area)
    return `<h2 id="${escapeHtml(area)}">${escapeHtml(area)}</h2>${list.map(section).join('')}`
  })
  const events = `<h2 id="Events">Events</h2><p>What <a href="#openLive">GET /live</a> sends.</p>${EVENTS.map(eventSection).join('')}`
  const index = [...areas, 'Events']
    .map((area) => `<a href="#${escapeHtml(area)}">${escapeHtml(area)}</a>`)
    .join(' · ')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Parley API</title><style>${STYLE}</style></head><body><h1>Parley API</h1><p>The same as a document: <a href="/openapi.json">openapi.json</a>.</p><p>${index}</p>${body.join('')}${events}</body></html>`
}
