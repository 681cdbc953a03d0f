import { Script } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { compile } from './match.js'
import type { Group } from './rule.js'

/** What the thread is asked: does this text match the conditions of this version of a rule? */
export interface Question {
  rule: string
  conditions: Group
  text: string
}

export type Answer = { matched: boolean } | { error: string }

/** Measured here, so that a busy event loop elsewhere shortens nobody's time. */
const LIMIT_MS = 1_000
const KEPT = 500
const compiled = new Map<string, ReturnType<typeof compile>>()

/** By what it says: after a reset of a sandbox the same id and version is another rule. */
function testOf({ conditions }: Question) {
  const key = JSON.stringify(conditions)
  const known = compiled.get(key)
  if (known) return known
  if (compiled.size >= KEPT) compiled.clear()
  const test = compile(conditions)
  compiled.set(key, test)
  return test
}

/** `vm` stops a script when its time is over; the script only calls back into this module. */
const judging: { judge?: () => boolean } = {}
Object.assign(globalThis, { judging })
const script = new Script('judging.judge()')

function answer(question: Question): Answer {
  try {
    judging.judge = () => testOf(question)(question.text)
    return { matched: script.runInThisContext({ timeout: LIMIT_MS }) }
  } catch (error) {
    return { error: String(error) }
  }
}

parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)))
parentPort?.postMessage('ready')
