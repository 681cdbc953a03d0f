import * as api from '@parley/contract'
import { followSends } from '../forms/press.js'
import { TIME } from '../platform/http/fault-text.js'
import { type Routes, route } from '../platform/http/route.js'
import { Problem } from '../platform/problem.js'
import { pressAs, submitAs } from './act.js'
import { makePerson, makeToken, type NewSandboxPerson } from './people.js'
import { makeProperty, readSettings, writeSettings } from './settings.js'

/** What people who test may do to the server around them. */
export interface SandboxControls {
  now(): Date
  /** Moves the clock; answers when everything that became due is done. */
  move(change: { advance_s?: number; set?: Date; freeze?: boolean }): Promise<Date>
  settle(): Promise<void>
  contents(): Promise<Omit<api.SandboxContents, 'calls' | 'now'>>
  setLimits(enabled: boolean): void
  setFault(fault: api.WebhookFault | null): void
  mail(): Promise<{ to: string; subject: string; text: string; at: string }[]>
  reset(): Promise<{ owner_id: number; owner_token: string }>
}

function parsedSet(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const date = new Date(text)
  if (Number.isNaN(date.getTime()))
    throw new Problem(400, 'invalid', { key: 'set', value: text, message: TIME })
  if (date < now) throw new Problem(400, 'invalid', { key: 'set', value: text, message: 'lies in the past' })
  return date
}

/** Times beyond it have five digits for the year, which neither clients nor the database read. */
const LAST_MS = Date.UTC(9999, 0, 1)

function ensureReachable(key: 'set' | 'advance_s', value: unknown, target_ms: number) {
  if (target_ms > LAST_MS)
    throw new Problem(400, 'invalid', { key, value, message: 'the clock goes up to the year 9999' })
}

/** The control API: plain operations without a token, from loopback alone. */
export function sandboxRoutes(routes: Routes, controls: SandboxControls) {
  route(routes, api.createSandboxUser, async ({ ctx, body }) => ({
    data: await makePerson(ctx, body as NewSandboxPerson),
  }))
  route(routes, api.createSandboxToken, async ({ ctx, body }) => ({ data: await makeToken(ctx, body) }))
  route(routes, api.getSandboxClock, async () => ({ data: { now: controls.now().toISOString() } }))
  route(routes, api.moveSandboxClock, async ({ body }) => {
    const { advance_s = 0, freeze } = body
    const set = parsedSet(body.set, controls.now())
    if (set) ensureReachable('set', body.set, set.getTime())
    else ensureReachable('advance_s', advance_s, controls.now().getTime() + advance_s * 1000)
    const now = await controls.move({ advance_s, freeze, set })
    return { data: { now: now.toISOString() } }
  })
  route(routes, api.settleSandbox, async () => {
    await controls.settle()
    return { data: { settled: true } }
  })
  route(routes, api.setSandboxWorkspace, async ({ ctx, body }) => {
    await writeSettings(ctx, body as Partial<api.SandboxWorkspace>)
    return { data: await readSettings(ctx) }
  })
  route(routes, api.createSandboxProperty, async ({ ctx, body }) => ({ data: await makeProperty(ctx, body) }))
  route(routes, api.setSandboxLimits, async ({ body }) => {
    controls.setLimits(body.enabled)
    return { data: { enabled: body.enabled } }
  })
  route(routes, api.listSandboxMail, async () => ({ data: await controls.mail() }))
  route(routes, api.setSandboxFaults, async ({ body }) => {
    const fault = body.webhooks ?? null
    controls.setFault(fault)
    return { data: { webhooks: fault } }
  })
  route(routes, api.resetSandbox, async () => ({ data: await controls.reset() }))
  route(routes, api.getSandbox, async () => ({
    data: { now: controls.now().toISOString(), ...(await controls.contents()), calls: CALLS },
  }))
  const pending = followSends(routes)
  route(routes, api.pressInSandbox, async ({ ctx, body }) => ({
    data: { trigger_id: await pressAs(ctx, body, pending) },
  }))
  route(routes, api.submitInSandbox, async ({ ctx, body }) => ({ data: await submitAs(ctx, body) }))
}

const CALLS = api.OPERATIONS.filter(({ sandbox }: api.Operation) => sandbox).map(
  ({ method, path, summary }) => ({
    method,
    path,
    summary,
  }),
)
