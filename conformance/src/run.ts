import * as api from '@parley/contract'
import type { Answer } from './answer.js'
import { checkAnswer } from './check-answer.js'
import { type Caller, type Connection, callerOf } from './client.js'
import { Lab, NotTested } from './lab.js'
import { type Law, type Level, NEEDS } from './law.js'
import { type ReceiverOptions, startReceiver } from './receiver.js'
import { newPrefix } from './run-id.js'

export type State = 'passed' | 'failed' | 'not tested'

/** What became of one law. */
export interface Outcome {
  law: Law
  state: State
  /** Why it failed or was not tested. */
  message?: string
  duration_ms: number
}

export interface RunOptions {
  base_url: string
  /** Of the owner, or of whoever may do most. */
  token: string
  member_token?: string
  /** Of a bot, where the main token may not create one. */
  bot_token?: string
  level: Level
  receiver?: ReceiverOptions
  patience_ms?: number
  timeout_ms?: number
}

/** What was heard of each operation. */
class Heard {
  private readonly succeeded = new Set<string>()
  private readonly faults = new Map<string, Set<string>>()

  constructor(private readonly level: Level) {}

  hear(answer: Answer) {
    const { id, returns } = answer.operation
    if (answer.status === returns.status) this.succeeded.add(id)
    for (const fault of checkAnswer(answer, this.level)) {
      const known = this.faults.get(id) ?? new Set()
      this.faults.set(id, known.add(fault))
    }
  }

  judge(law: Law): Outcome {
    const [id = ''] = law.operations
    const faults = [...(this.faults.get(id) ?? [])]
    if (faults.length > 0) return { law, state: 'failed', message: faults.join('; '), duration_ms: 0 }
    if (this.succeeded.has(id)) return { law, state: 'passed', duration_ms: 0 }
    return { law, state: 'not tested', message: 'no law of this run has it succeed', duration_ms: 0 }
  }
}

/** The server does not let the run begin: the address or the token is wrong. */
export class CannotBegin extends Error {}

async function identify(
  connection: Connection,
  token: string,
): Promise<{ caller: Caller; scopes: readonly string[] }> {
  const answer = await callerOf(connection, 0, token)
    .send(api.getTokenInfo)
    .catch((error: Error) => {
      throw new CannotBegin(`${connection.base_url} does not answer: ${error.message}`)
    })
  const { data } = (answer.body ?? {}) as { data?: { user_id: number; scopes: string[] } }
  if (answer.status !== 200 || !data)
    throw new CannotBegin(
      `GET /oauth/token/info answered ${answer.status}: is the token of this server, and does the address end in its prefix, /v1?`,
    )
  return { caller: callerOf(connection, data.user_id, token), scopes: data.scopes }
}

/** A sandbox answers without a token, and gives people with tokens. */
async function findSandbox(connection: Connection): Promise<boolean> {
  const answer = await callerOf(connection, 0, undefined)
    .send(api.getSandbox)
    .catch(() => undefined)
  return answer?.status === 200
}

async function secondPerson(connection: Connection, options: RunOptions, sandbox: boolean) {
  if (options.member_token) return (await identify(connection, options.member_token)).caller
  if (!sandbox) return undefined
  const body = { first_name: 'Conformance' }
  const { data } = await callerOf(connection, 0, undefined).call(api.createSandboxUser, { body })
  return callerOf(connection, data.id, data.token)
}

async function tryLaw(lab: Lab, law: Law): Promise<Outcome> {
  const began = performance.now()
  const outcome = (state: State, message?: string): Outcome => ({
    law,
    state,
    message,
    duration_ms: performance.now() - began,
  })
  const missing = law.needs.find((need) => !lab.has(need))
  if (missing) return outcome('not tested', NEEDS[missing])
  try {
    await law.run(lab)
    return outcome('passed')
  } catch (error) {
    const { message } = error as Error
    return outcome(error instanceof NotTested ? 'not tested' : 'failed', message)
  }
}

async function openLab(connection: Connection, options: RunOptions) {
  const { caller: owner, scopes } = await identify(connection, options.token)
  const sandbox = await findSandbox(connection)
  const receiver = options.receiver && (await startReceiver(options.receiver))
  const lab = new Lab({
    connection,
    level: options.level,
    prefix: newPrefix(),
    owner,
    scopes,
    member: await secondPerson(connection, options, sandbox),
    bot: options.bot_token ? (await identify(connection, options.bot_token)).caller : undefined,
    sandbox,
    receiver,
    patience_ms: options.patience_ms ?? 20_000,
  })
  // Waiting for limits would be most of a run; the laws about them turn them on.
  const setLimits = (enabled: boolean) => lab.anonymous.send(api.setSandboxLimits, { body: { enabled } })
  if (sandbox) {
    await setLimits(false)
    lab.after(() => setLimits(true))
  }
  lab.after(async () => receiver?.close())
  return lab
}

/** A run that has begun. */
export interface OpenRun {
  /** Tries laws one after the other. */
  try(laws: readonly Law[], told?: (outcome: Outcome) => void): Promise<Outcome[]>
  /** Removes what the laws made; gives what could not be removed. */
  close(): Promise<string[]>
  /** Ids of the operations that answered with success. */
  succeeded: ReadonlySet<string>
}

const ofAnswers = ({ id }: Law) => id.endsWith('/answer')

export async function openRun(options: RunOptions): Promise<OpenRun> {
  const { base_url, level, timeout_ms = 30_000 } = options
  const succeeded = new Set<string>()
  let record = new Heard(level)
  const heard = (answer: Answer) => {
    record.hear(answer)
    if (answer.status === answer.operation.returns.status) succeeded.add(answer.operation.id)
  }
  const lab = await openLab({ base_url, timeout_ms, heard }, options)
  return {
    succeeded,
    async try(laws, told = () => undefined) {
      record = new Heard(level)
      const outcomes: Outcome[] = []
      const tell = (outcome: Outcome) => {
        outcomes.push(outcome)
        told(outcome)
      }
      for (const law of laws.filter((one) => !ofAnswers(one))) tell(await tryLaw(lab, law))
      for (const law of laws.filter(ofAnswers)) tell(record.judge(law))
      return outcomes
    },
    close: () => lab.clean(),
  }
}
