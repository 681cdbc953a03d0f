import busboy from 'busboy'
import { Problem } from '../problem.js'

const FIELDS_AT_MOST = 5_000
const DEPTH_AT_MOST = 32

type Field = [name: string, value: string]
type Branch = { [key: string]: Node }
type Node = string | Node[] | Branch

const refused = (message: string) => new Problem(400, 'wrong_params', { key: 'body', message })

export function isForm(type: string): boolean {
  return /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)
}

function multipartFields(bytes: Buffer, type: string): Promise<Field[]> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(refused(`is no readable form: ${(error as Error).message}`))
    const fields: Field[] = []
    try {
      const limits = { fields: FIELDS_AT_MOST, fieldSize: bytes.length, parts: FIELDS_AT_MOST }
      const form = busboy({ headers: { 'content-type': type }, limits, defParamCharset: 'utf8' })
      form.on('field', (name, value) => fields.push([name, value]))
      form.on('file', (_name, stream) => stream.resume())
      form.on('fieldsLimit', () => reject(refused(`has more than ${FIELDS_AT_MOST} fields`)))
      form.on('partsLimit', () => reject(refused(`has more than ${FIELDS_AT_MOST} parts`)))
      form.on('error', fail)
      form.on('close', () => resolve(fields))
      form.end(bytes)
    } catch (error) {
      fail(error)
    }
  })
}

/** `message[files][0][key]` as its steps; a name that is not written so is one step. */
function stepsOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name)
  if (!match) return [name]
  return [match[1] as string, ...(match[2] as string).slice(1, -1).split('][')]
}

const mismatched = (name: string) =>
  new Problem(400, 'invalid', { key: name, message: 'is used both as a value and as a group of fields' })

/** The object or list below a step, made where it is missing. `x[][a]` begins a new element when `a` comes again. */
function descend(node: Branch | Node[], steps: string[], index: number, name: string): Branch | Node[] {
  const step = steps[index] as string
  const next = steps[index + 1] as string
  const made: Node = next === '' ? [] : {}
  if (Array.isArray(node)) {
    const last = node.at(-1)
    const again = isBranch(last) && index + 2 === steps.length && Object.hasOwn(last, next)
    if (isBranch(last) && !again && next !== '') return last
    node.push(made)
    return made
  }
  const known = Object.hasOwn(node, step) ? node[step] : undefined
  if (known === undefined) node[step] = made
  const inner = known ?? made
  if (typeof inner === 'string' || Array.isArray(inner) !== (next === '')) throw mismatched(name)
  return inner
}

function isBranch(node: Node | undefined): node is Branch {
  return typeof node === 'object' && !Array.isArray(node)
}

function put(root: Branch, [name, value]: Field) {
  const steps = stepsOf(name)
  if (steps.length > DEPTH_AT_MOST) throw refused('is nested too deeply')
  if (steps.includes('__proto__')) return
  let node: Branch | Node[] = root
  for (let index = 0; index < steps.length - 1; index += 1) node = descend(node, steps, index, name)
  const last = steps.at(-1) as string
  if (Array.isArray(node)) return void node.push(value)
  const known = Object.hasOwn(node, last) ? node[last] : undefined
  if (known === undefined) node[last] = value
  else if (typeof known === 'string') node[last] = [known, value]
  else if (Array.isArray(known)) known.push(value)
  else throw mismatched(name)
}

/** Groups whose names are 0, 1, 2 … are lists. */
function listed(node: Node): Node {
  if (typeof node === 'string') return node
  if (Array.isArray(node)) return node.map(listed)
  const entries = Object.entries(node).map(([key, inner]) => [key, listed(inner)] as const)
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index))
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}

/** Fields with names such as `message[content]` as the object that they describe; every value is text. */
export function nestFields(fields: Iterable<Field>): Record<string, unknown> {
  const root: Branch = {}
  let count = 0
  for (const field of fields) {
    count += 1
    if (count > FIELDS_AT_MOST) throw refused(`has more than ${FIELDS_AT_MOST} fields`)
    put(root, field)
  }
  const entries = Object.entries(root).map(([key, node]) => [key, listed(node)] as const)
  return Object.fromEntries(entries)
}

/** A form as the object that JSON would have given. */
export async function readForm(bytes: Buffer, type: string): Promise<Record<string, unknown>> {
  if (/^multipart/i.test(type)) return nestFields(await multipartFields(bytes, type))
  return nestFields(new URLSearchParams(bytes.toString('utf8')))
}
