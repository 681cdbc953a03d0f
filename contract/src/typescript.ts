import { type MethodName, methodNames } from './methods.js'
import type { Operation } from './operation.js'
import { OPERATIONS, SHAPES } from './operations.js'
import { shapeUsed } from './shape-names.js'

/** The parts of JSON Schema that the contract uses. */
interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  format?: string
  description?: string
  deprecated?: boolean
}

const WORDS: Record<string, string> = { integer: 'number', null: 'null' }

function comment(text: string | undefined, indent: string): string {
  return text ? `${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n` : ''
}

function fieldName(name: string): string {
  return /^[\w$]+$/.test(name) ? name : JSON.stringify(name)
}

/** Prints schemas as TypeScript and remembers which named shapes it met. */
class TypePrinter {
  readonly met = new Set<string>()

  type(schema: Schema, indent = '', self?: string): string {
    const used = shapeUsed(schema)
    if (used && used.name !== self) {
      this.met.add(used.name)
      return used.nullable ? `${used.name} | null` : used.name
    }
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(' | ')
    if (schema.anyOf) return schema.anyOf.map((one) => this.type(one, indent)).join(' | ')
    if (schema.allOf) return schema.allOf.map((one) => `(${this.type(one, indent)})`).join(' & ')
    const types = [schema.type ?? []].flat().map((type) => this.plain(type, schema, indent))
    return types.join(' | ') || 'unknown'
  }

  private plain(type: string, schema: Schema, indent: string): string {
    if (type === 'array') return `Array<${this.type(schema.items ?? {}, indent)}>`
    if (type === 'string' && schema.format === 'binary') return 'Blob'
    if (type !== 'object') return WORDS[type] ?? type
    if (schema.properties && Object.keys(schema.properties).length > 0)
      return `{\n${this.fields(schema, `${indent}  `)}${indent}}`
    const [value] = Object.values(schema.patternProperties ?? {})
    return `Record<string, ${value ? this.type(value, indent) : 'unknown'}>`
  }

  fields(schema: Schema, indent: string): string {
    const required = new Set(schema.required ?? [])
    const lines = Object.entries(schema.properties ?? {}).map(([name, field]) => {
      const mark = required.has(name) ? '' : '?'
      const remark = [field.description, field.deprecated ? '@deprecated' : ''].filter(Boolean).join(' ')
      return `${comment(remark, indent)}${indent}${fieldName(name)}${mark}: ${this.type(field, indent)}\n`
    })
    return lines.join('')
  }

  declare(name: string, schema: Schema): string {
    const head = comment(schema.description, '')
    const plainObject = schema.type === 'object' && schema.properties && !schema.anyOf && !schema.allOf
    if (plainObject) return `${head}export interface ${name} {\n${this.fields(schema, '  ')}}\n`
    return `${head}export type ${name} = ${this.type(schema, '', name)}\n`
  }
}

/** What a method gives back: the `data` of its answer, the whole answer, nothing, or the raw response. */
export type MethodAnswer = 'data' | 'body' | 'nothing' | 'response'

export function answerOf({ returns }: Operation): MethodAnswer {
  if (returns.media || (returns.status >= 300 && returns.status < 400)) return 'response'
  if (!returns.body) return 'nothing'
  const fields = Object.keys((returns.body as Schema).properties ?? {})
  return fields.length === 1 && fields[0] === 'data' ? 'data' : 'body'
}

function answerType(printer: TypePrinter, operation: Operation): string {
  const answer = answerOf(operation)
  if (answer === 'nothing') return 'void'
  if (answer === 'response') return 'Response'
  const body = operation.returns.body as Schema
  return printer.type(answer === 'data' ? (body.properties?.data ?? {}) : body, '    ')
}

/** Path, query and body in one object: no operation uses a name in two of them. */
function inputType(printer: TypePrinter, { id, params, query, body, bodyOptional }: Operation) {
  const parts = [params, query, body].filter((part) => part !== undefined) as Schema[]
  const names = parts.flatMap((part) => Object.keys(part.properties ?? {}))
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice) throw new Error(`${id} has ${twice} in two places`)
  if (parts.length === 0) return undefined
  const texts = parts.map((part) => {
    const text = printer.type(part, '    ')
    return part === body && bodyOptional ? `Partial<${text}>` : text
  })
  const needed = parts.some((part) => (part.required ?? []).length > 0 && !(part === body && bodyOptional))
  return { text: texts.join(' & '), optional: !needed }
}

function methodText(printer: TypePrinter, { verb, operation }: MethodName): string {
  const input = inputType(printer, operation)
  const first = input
    ? `input${input.optional ? '?' : ''}: ${input.text}, `
    : 'input?: Record<string, never>, '
  const remark = `${operation.summary}. ${operation.method} ${operation.path}`
  return `${comment(remark, '    ')}    ${verb}(${first}options?: CallOptions): Promise<${answerType(printer, operation)}>\n`
}

/** Pages are for browsers, streams for `live()`, and another server's address for `upload()`. */
function isMethod({ operation: { returns, external } }: MethodName): boolean {
  return !external && returns.media !== 'text/html' && returns.media !== 'text/event-stream'
}

function byNoun(): Map<string, MethodName[]> {
  const nouns = new Map<string, MethodName[]>()
  for (const name of methodNames().filter(isMethod))
    nouns.set(name.noun, [...(nouns.get(name.noun) ?? []), name])
  return nouns
}

/** Shapes that a client library names although no method mentions them. */
const ALSO = ['WebhookPayloadUnion', 'ExportReadyWebhookPayload', 'LiveEvent', 'LiveReady', 'ApiErrorItem']

/** The types of a client library: every method by noun, and every shape that they mention. Plain, without TypeBox. */
export function printTypes(): string {
  const printer = new TypePrinter()
  const nouns = [...byNoun()].map(
    ([noun, names]) => `  ${noun}: {\n${names.map((name) => methodText(printer, name)).join('')}  }\n`,
  )
  for (const name of ALSO) printer.met.add(name)
  const shapes: string[] = []
  // Declaring one shape may meet others, which join the set that is being walked.
  for (const name of printer.met) shapes.push(printer.declare(name, SHAPES.get(name) as Schema))
  const options = "import type { CallOptions } from '../call.js'\n"
  return `${options}\nexport interface Methods {\n${nouns.join('')}}\n\n${shapes.sort().join('\n')}`
}

function operationText(printer: TypePrinter, operation: Operation): string {
  const { id, params, query, body, bodyOptional, returns } = operation
  const part = (name: string, schema: Schema | undefined, optional: boolean) =>
    schema
      ? `      ${name}${optional ? '?' : ''}: ${printer.type(schema, '      ')}\n`
      : `      ${name}?: undefined\n`
  const input = [
    part('params', params, false),
    part('query', query, true),
    part('body', body as Schema | undefined, bodyOptional === true),
  ]
  const answer = returns.body ? printer.type(returns.body as Schema, '    ') : 'undefined'
  return `  ${id}: {\n    input: {\n${input.join('')}    }\n    answer: ${answer}\n  }\n`
}

/** Every operation by its id, with what a call takes and is answered: the types of the contract's values, without TypeBox. */
export function printOperations(): string {
  const printer = new TypePrinter()
  const operations = OPERATIONS.map((operation) => operationText(printer, operation))
  const shapes: string[] = []
  for (const name of printer.met) shapes.push(printer.declare(name, SHAPES.get(name) as Schema))
  return `export interface Operations {\n${operations.join('')}}\n\n${shapes.sort().join('\n')}`
}

/** How each method is called, as a value: method, path, what goes into the query, and what comes back. */
export function printCalls(): string {
  const rows = [...byNoun()].map(([noun, names]) => {
    const calls = names.map(({ verb, operation }) => {
      const { id, method, path, query, body, media, root, roles } = operation
      const call = {
        id,
        method,
        path,
        ...(query ? { query: Object.keys(query.properties) } : {}),
        ...(body ? { body: media?.[0] ?? 'application/json' } : {}),
        ...(root ? { root: true } : {}),
        ...(roles.length > 0 && method !== 'GET' ? { keyed: true } : {}),
        answer: answerOf(operation),
      }
      return `    ${verb}: ${JSON.stringify(call)},\n`
    })
    return `  ${noun}: {\n${calls.join('')}  },\n`
  })
  const head = "import type { CallTable } from '../call.js'\n\n"
  return `${head}export const CALLS: CallTable = {\n${rows.join('')}}\n`
}
