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
import { languageOf } from './language.js'
import { hasOpenProvider, readEmail } from './queries.js'
import { type Screens, screensIn } from './screens.js'
import { formTokenFor, isOwnForm, sessionOf, signIn, signOut } from './session.js'

interface Door {
  ctx: Context
  request: FastifyRequest
  reply: FastifyReply
}

interface Visit extends Door {
  screens: Screens
}

/** What a visit comes to: a page, or another address. */
type Outcome = Page | { location: string; status: 302 | 303 }

async function signedAs(visit: Visit, actor: Actor) {
  const { db } = visit.ctx
  const form_token = formTokenFor(visit.ctx, visit.request, visit.reply)
  return { form_token, workspace: await readWorkspaceName(db), email: await readEmail(db, actor.user_id) }
}

async function askToSignIn(visit: Visit, isWrong = false): Promise<Page> {
  const { ctx, request, screens } = visit
  const { name, password_sign_in } = await readWorkspace(ctx.db)
  if (password_sign_in === 'off') return screens.noPasswords(ctx.config.app_url, request.url, name)
  const form_token = formTokenFor(visit.ctx, visit.request, visit.reply)
  const elsewhere = await hasOpenProvider(ctx.db)
  return screens.signIn(
    { form_token, workspace: name, app_url: ctx.config.app_url, here: request.url, elsewhere },
    isWrong,
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
  if (!ask) return visit.screens.code(await signedAs(visit, actor))
  const { client, resource } = ask
  const asked = { ...client, user_id: actor.user_id, resource }
  const known = client.confidential && (await findGrant(ctx.db, asked))
  if (known) return sendBack(visit, actor, ask, { consented: false, status: 302 })
  return visit.screens.consent(ask, await signedAs(visit, actor))
}

/** The same address again, now as somebody else. */
function again({ request }: Visit): Outcome {
  const query = request.url.indexOf('?')
  return { location: query < 0 ? '?' : request.url.slice(query), status: 303 }
}

async function takeSignIn(visit: Visit, form: Form): Promise<Outcome> {
  const given = { email: form.get('email') ?? '', password: form.get('password') ?? '' }
  const result = await signIn(visit.ctx, visit.request, visit.reply, given)
  if (result === 'second_factor')
    return visit.screens.secondFactor(visit.ctx.config.app_url, visit.request.url)
  return result === 'signed_in' ? again(visit) : askToSignIn(visit, true)
}

async function takeConsent(visit: Visit, actor: Actor, form: Form): Promise<Outcome> {
  const ask = await readAsk(visit.ctx, visit.request.url)
  if (!ask) throw new Refusal(400, 'broken_link')
  if (form.get('answer') === 'allow') return sendBack(visit, actor, ask, { consented: true, status: 303 })
  return { location: visit.ctx.config.app_url, status: 303 }
}

async function takeCode(visit: Visit, actor: Actor, form: Form): Promise<Outcome> {
  const userCode = readUserCode(form.get('user_code') ?? '')
  const device = await findWaitingDevice(visit.ctx.db, userCode, now(visit.ctx.clock))
  const who = await signedAs(visit, actor)
  return device ? visit.screens.device(device, who) : visit.screens.code(who, true)
}

async function takeDevice(visit: Visit, actor: Actor, form: Form): Promise<Outcome> {
  const state = form.get('answer') === 'approve' ? 'approved' : 'denied'
  const settled = await settleDevice(visit.ctx, actor, readUserCode(form.get('user_code') ?? ''), state)
  return settled ? visit.screens.done(state) : visit.screens.code(await signedAs(visit, actor), true)
}

async function take(visit: Visit): Promise<Outcome> {
  const { ctx, request, reply } = visit
  const form = await readForm(request)
  if (!isOwnForm(ctx, request, form.get('form_token'))) throw new Refusal(403, 'old_form')
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
  throw new Refusal(400, 'broken_form')
}

/** People read these answers, so a refusal is a page too. */
function refused(error: unknown, screens: Screens): Page {
  if (error instanceof Refusal) return screens.refusal(error)
  if (error instanceof OAuthProblem) return screens.refusal({ status: 400, code: 'broken_form' })
  if (error instanceof Problem && error.code === 'access_denied')
    return screens.refusal({ status: 403, code: 'no_access' })
  throw error
}

async function answered(door: Door, decide: (visit: Visit) => Promise<Outcome>) {
  const visit = { ...door, screens: screensIn(await languageOf(door)) }
  const result = await decide(visit).catch((error: unknown) => refused(error, visit.screens))
  if ('body' in result) return sendPage(visit.reply, result)
  visit.reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer')
  return visit.reply.redirect(result.location, result.status)
}

export function showAuthorizePage(door: Door) {
  return answered(door, show)
}

export function takeAuthorizeForm(door: Door) {
  return answered(door, take)
}
