import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '@parley/server'

/** What is written at the end of long work has a place before it begins. */
export function ensureFolder(file: string, what: string) {
  if (!existsSync(dirname(file)))
    throw new OperatorError(`There is no folder ${dirname(file)} to write the ${what} to.`)
}

/** A file is replaced only where that is asked for. */
export function ensureTarget(file: string, what: string, force: boolean | undefined) {
  ensureFolder(file, what)
  if (existsSync(file) && !force)
    throw new OperatorError(`${file} exists already: choose another name, or replace it with --force.`)
}
