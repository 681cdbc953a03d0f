import { parentPort } from 'node:worker_threads'
import { compile } from './match.js'
import type { Group } from './rule.js'

/** What the thread is asked: does this text match the conditions of this version of a rule? */
export interface Question {
  rule: string
  conditions: Group
  text: string
}

const KEPT = 500
const compiled = new Map<string, ReturnType<typeof compile>>()

function testOf({ rule, conditions }: Question) {
  const known = compiled.get(rule)
  if (known) return known
  if (compiled.size >= KEPT) compiled.clear()
  const test = compile(conditions)
  compiled.set(rule, test)
  return test
}

parentPort?.on('message', (question: Question) => {
  try {
    parentPort?.postMessage({ matched: testOf(question)(question.text) })
  } catch (error) {
    parentPort?.postMessage({ matched: false, error: String(error) })
  }
})
parentPort?.postMessage('ready')
