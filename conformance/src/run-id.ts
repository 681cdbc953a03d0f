import { randomBytes } from 'node:crypto'

/** What the names of a run begin with, so that runs beside each other do not meet, and people see what may be removed. */
export function newPrefix(): string {
  return `conf${randomBytes(4).toString('hex')}`
}
