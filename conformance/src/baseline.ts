import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Outcome } from './run.js'

/** Failures that are known: the id of a law, and why it is accepted. */
export type Baseline = Readonly<Record<string, string>>

export class BaselineFault extends Error {}

export function readBaseline(file: string): Baseline {
  if (!existsSync(file)) throw new BaselineFault(`${file} is not there; --update-baseline writes it`)
  const { failures } = JSON.parse(readFileSync(file, 'utf8')) as { failures?: Record<string, string> }
  if (typeof failures !== 'object' || failures === null)
    throw new BaselineFault(`${file} has no "failures": { "id of a law": "reason" }`)
  return failures
}

/** Keeps the reasons that are there. */
export function writeBaseline(file: string, outcomes: readonly Outcome[], known: Baseline) {
  const failed = outcomes.filter(({ state }) => state === 'failed')
  const entries = failed.map(({ law, message = '' }) => [law.id, known[law.id] ?? message.split('\n')[0]])
  writeFileSync(file, `${JSON.stringify({ failures: Object.fromEntries(entries) }, null, 2)}\n`)
}

export type Verdict = 'passed' | 'failed' | 'known failure' | 'passed, though a known failure' | 'not tested'

export interface Judged extends Outcome {
  verdict: Verdict
  /** Makes the run fail. */
  unexpected: boolean
}

/** Holds outcomes against what is known: new failures and known ones that are gone are unexpected. */
export function judge(outcomes: readonly Outcome[], known: Baseline): Judged[] {
  return outcomes.map((outcome) => {
    const isKnown = outcome.law.id in known
    const verdict = verdictOf(outcome, isKnown)
    return {
      ...outcome,
      verdict,
      unexpected: verdict === 'failed' || verdict === 'passed, though a known failure',
    }
  })
}

function verdictOf({ state }: Outcome, isKnown: boolean): Verdict {
  if (!isKnown || state === 'not tested') return state
  return state === 'failed' ? 'known failure' : 'passed, though a known failure'
}

/** Entries that name no law of this edition. */
export function unknownEntries(known: Baseline, ids: ReadonlySet<string>): string[] {
  return Object.keys(known).filter((id) => !ids.has(id))
}
