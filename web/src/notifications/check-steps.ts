/** The steps of a notification on its way, in their order. */
export const STEPS = [
  'browser',
  'permission',
  'worker',
  'key',
  'subscription',
  'enrolled',
  'accepted',
  'received',
  'shown',
] as const
export type Step = (typeof STEPS)[number]
export type StepState = 'waiting' | 'running' | 'ok' | 'failed'
export interface Progress {
  states: Readonly<Record<Step, StepState>>
  /** What the first broken step said. */
  reason: string | null
}

export const UNCHECKED: Progress = {
  states: Object.fromEntries(STEPS.map((step) => [step, 'waiting'])) as Record<Step, StepState>,
  reason: null,
}

/** Runs steps one after another until one breaks. `found` collects what later steps need. */
export async function runSteps<F>(
  steps: Readonly<Record<Step, (found: F) => Promise<unknown>>>,
  found: F,
  tell: (progress: Progress) => void,
): Promise<Step | null> {
  let states = UNCHECKED.states
  const mark = (step: Step, state: StepState, reason: string | null = null) => {
    states = { ...states, [step]: state }
    tell({ states, reason })
  }
  for (const step of STEPS) {
    mark(step, 'running')
    try {
      await steps[step](found)
      mark(step, 'ok')
    } catch (error) {
      mark(step, 'failed', error instanceof Error ? error.message : String(error))
      return step
    }
  }
  return null
}
