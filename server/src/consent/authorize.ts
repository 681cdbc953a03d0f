import type { FastifyReply, FastifyRequest } from 'fastify'
import { readWorkspace, readWorkspaceName } from '../company/queries.js'
import { issueCode } from '../oauth/codes.js'
import { findWaitingDevice } from '../oauth/device-queries.js'
import { readUserCode, settleDevice } from '../oauth/devices.js'
import { findGrant } from '../oauth/grant-queries.js'
import { type Form, readForm } from '../oauth/read-form.js'
import { withAnswer } from '../oauth/redirects.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { OAuthProblem, Problem } from '../platform/problem.js'
import { type Ask, ensureMayAuthorize, Refusal, readAsk } from './ask.js'
import { type Page, sendPage } from './html.js'
import { hasOpenProvider, readEmail } from './queries.js'
import {
  codeScreen,
  consentScreen,
  deviceScreen,
  doneScreen,
  elsewhereScreen,
  noPasswordsScreen,
  refusalScreen,
  signInScreen,
} from './screens.js'
import { formTokenFor, isOwnForm, sessionOf, signIn, signOut } from './session.js'

interface Visit {
  ctx: Context
  request: FastifyRequest
  reply: FastifyReply
}

/** What a visit comes to: a page, or another address. */
type Outcome = Page | { location: string; status: 302 | 303 }

async function signedAs(visit: Visit, actor: Actor) {
  const { db } = visit.ctx
  const form_token = formTokenFor(visit.ctx, visit.request, visit.reply)
  return { form_token, workspace: await readWorkspaceName(db), email: await readEmail(db, actor.user_id) }
}

async function askToSignIn(visit: Visit, fault?: string): Promise<Page> {
  const { ctx, request } = visit
  const { name, password_sign_in } = await readWorkspace(ctx.db)
  if (password_sign_in === 'off') return noPasswordsScreen(ctx.config.app_url, request.url, name)
  const form_token = formTokenFor(visit.ctx, visit.request, visit.reply)
  const elsewhere = await hasOpenProvider(ctx.db)
  return signInScreen(
    { form_token, workspace: name, app_url: ctx.config.app_url, here: request.url, elsewhere },
    fault,
  )
}

/** Sends the browser back to the bot with a code. */
async function sendBack(
  { ctx }: Visit,
  actor: Actor,
  ask: Ask,
  options: { consented: boolean; status: 302 | 303 },
): Promise<Outcome> {
  const code = await issueCode(ctx, actor, ask.client, ask, options)
  const iss = new URL(ctx.config.public_url).origin
  return { location: withAnswer(ask.redirect_uri, { code, state: ask.state, iss }), status: options.status }
}

async function show(visit: Visit): Promise<Outcome> {
  const { ctx, request } = visit
  const ask = await readAsk(ctx, request.url)
  const actor = await sessionOf(ctx, request)
  if (!actor) return askToSignIn(visit)
  await ensureMayAuthorize(ctx, actor)
  if (!ask) return codeScreen(await signedAs(visit, actor))
  const { client, resource } = ask
  const asked = { ...client, user_id: actor.user_id, resource }
  const known = client.confidential && (await findGrant(ctx.db, asked))
  if (known) return sendBack(visit, actor, ask, { consented: false, status: 302 })
  return consentScreen(ask, await signedAs(visit, actor))
}

/** The same address again, now as somebody else. */
function again({ request }: Visit): Outcome {
  const query = request.url.indexOf('?')
  return { location: query < 0 ? '?' : request.url.slice(query), status: 303 }
}

async function takeSignIn(visit: Visit, form: Form): Promise<Outcome> {
  const given = { email: form.get('email') ?? '', password: form.get('password') ?? '' }
  const result = await signIn(visit.ctx, visit.request, visit.reply, given)
  if (result === 'second_factor') return elsewhereScreen(visit.ctx.config.app_url, visit.request.url)
  return result === 'signed_in' ? again(visit) : askToSignIn(visit, 'Mail and password do not fit.')
}

async function takeConsent(visit: Visit, actor: Actor, form: Form): Promise<Outcome> {
  const ask = await readAsk(visit.ctx, visit.request.url)
  if (!ask) throw new Refusal(400, 'The link is broken.')
  if (form.get('answer') === 'allow') return sendBack(visit, actor, ask, { consented: true, status: 303 })
  return { location: visit.ctx.config.app_url, status: 303 }
}

async function takeCode(visit: Visit, actor: Actor, form: Form): Promise<Outcome> {
  const userCode = readUserCode(form.get('user_code') ?? '')
  const device = await findWaitingDevice(visit.ctx.db, userCode, now(visit.ctx.clock))
  const who = await signedAs(visit, actor)
  return device ? deviceScreen(device, who) : codeScreen(who, 'No device waits for this code.')
}

async function takeDevice(visit: Visit, actor: Actor, form: Form): Promise<Outcome> {
  const state = form.get('answer') === 'approve' ? 'approved' : 'denied'
  const settled = await settleDevice(visit.ctx, actor, readUserCode(form.get('user_code') ?? ''), state)
  if (!settled) return codeScreen(await signedAs(visit, actor), 'No device waits for this code.')
  const done = state === 'approved' ? 'The device is connected' : 'The device was refused'
  return doneScreen(done, 'You can close this page and go back to the device.')
}

async function take(visit: Visit): Promise<Outcome> {
  const { ctx, request, reply } = visit
  const form = await readForm(request)
  if (!isOwnForm(ctx, request, form.get('form_token')))
    throw new Refusal(403, 'This form was not opened here, or is too old. Please open the link again.')
  const step = form.get('step')
  if (step === 'sign-in') return takeSignIn(visit, form)
  if (step === 'sign-out') {
    await signOut(ctx, request, reply)
    return again(visit)
  }
  const actor = await sessionOf(ctx, request)
  if (!actor) return askToSignIn(visit)
  await ensureMayAuthorize(ctx, actor)
  if (step === 'consent') return takeConsent(visit, actor, form)
  if (step === 'code') return takeCode(visit, actor, form)
  if (step === 'device') return takeDevice(visit, actor, form)
  throw new Refusal(400, 'The form is broken.')
}

/** People read these answers, so a refusal is a page too. */
function refused(error: unknown): Page {
  if (error instanceof Refusal) return refusalScreen(error.status, error.message)
  if (error instanceof OAuthProblem) return refusalScreen(400, 'The form is broken.')
  if (error instanceof Problem && error.code === 'access_denied')
    return refusalScreen(403, 'This account may not give access.')
  throw error
}

async function answered(visit: Visit, outcome: Promise<Outcome>) {
  const result = await outcome.catch(refused)
  if ('body' in result) return sendPage(visit.reply, result)
  visit.reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer')
  return visit.reply.redirect(result.location, result.status)
}

export function showAuthorizePage(visit: Visit) {
  return answered(visit, show(visit))
}

export function takeAuthorizeForm(visit: Visit) {
  return answered(visit, take(visit))
}
