import { readFile } from 'node:fs/promises'
import { ImportOrderRequest } from '@parley/contract'
import { Value } from 'typebox/value'
import { findLostRoom } from '../imports/mapping.js'
import type { Mapping } from '../imports/run-state.js'
import type { Db } from '../platform/db/index.js'
import { OperatorError } from './errors.js'

const SHAPE = ImportOrderRequest.properties.import.properties.mapping
const NAMES = Object.keys(SHAPE.properties)

/** What is wrong in a mapping: one that is not read as it is meant would make people anew. */
async function faultIn(db: Db, value: unknown): Promise<string | undefined> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it is no JSON object'
  const unknown = Object.keys(value).find((name) => !NAMES.includes(name))
  if (unknown !== undefined) return `${unknown} is none of ${NAMES.join(', ')}`
  const [fault] = Value.Errors(SHAPE, value)
  if (fault) return `${fault.instancePath.slice(1).replaceAll('/', '.')} ${fault.message}`
  const lost = await findLostRoom(db, value)
  return lost && `chats.${lost.source_id} is chat ${lost.id}, and no conversation or channel here has this id`
}

/** The mapping of a file, which says who is who and which chats are here already. */
export async function readMapping(db: Db, path: string | undefined): Promise<Mapping> {
  if (path === undefined) return {}
  const refuse = (fault: string) => new OperatorError(`The mapping ${path} cannot be used: ${fault}.`)
  let mapping: Mapping
  try {
    mapping = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw refuse((error as Error).message)
  }
  const fault = await faultIn(db, mapping)
  if (fault) throw refuse(fault)
  return mapping
}
