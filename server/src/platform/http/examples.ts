import { readFileSync } from 'node:fs'
import type { CallExample } from '@parley/contract'

const KEPT = new URL('../../../data/examples.json', import.meta.url)

/** Requests and answers by operation, recorded by a test that compares them. */
export function readExamples(): Record<string, CallExample> {
  return JSON.parse(readFileSync(KEPT, 'utf8'))
}
