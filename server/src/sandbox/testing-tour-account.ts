import { type ApiFailure, connect, type Parley } from '@parley/sdk'
import { Secret, TOTP } from 'otpauth'
import { startPushService } from '../notifications/testing-push.js'
import { openBrowser } from '../testing/browser.js'
import { makePasskey } from './testing-passkey.js'
import type { Tour } from './testing-tour.js'
import { actFor, addApps } from './testing-tour-apps.js'

export const EMAIL = 'eve@example.org'
export const PASSWORD = 'correct horse battery'
const CONSENT = '/apps/authorize'

/** The last word of a path in the newest letter to somebody. */
async function linkIn({ control }: Tour, to: string, path: string): Promise<string> {
  await control.settle()
  const letters = (await control.listMail()).filter((letter) => letter.to === to)
  return new RegExp(`/${path}/([\\w.-]+)`).exec(letters.at(-1)?.text ?? '')?.[1] ?? ''
}

/** Invites Eve, who accepts. */
export async function invite(tour: Tour) {
  const { base_url, owner, session, control } = tour
  const { id } = await owner.users.create({ user: { email: EMAIL, first_name: 'Eve' } })
  await session.sessions.getInviteLink({ id })
  await control.moveClock({ advance_s: 60 })
  await session.sessions.resendInvite({ id })
  const visitor = connect({ base_url })
  const token = await linkIn(tour, EMAIL, 'invite')
  await visitor.sessions.getInvite({ token })
  await visitor.sessions.acceptInvite({ token, first_name: 'Eve', password: PASSWORD })
}

/** A new login of Eve. */
export async function signEveIn(base_url: string): Promise<Parley> {
  const { token } = await connect({ base_url }).sessions.signIn({ email: EMAIL, password: PASSWORD })
  return connect({ base_url, token })
}

async function protect({ base_url, session, control }: Tour, eve: Parley) {
  const password = PASSWORD
  const { secret } = await eve.sessions.startTotp({ password })
  const { now } = await control.getClock()
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(now) })
  await eve.sessions.confirmTotp({ code })
  await eve.sessions.getSecondFactor()
  await connect({ base_url }).sessions.beginSecondFactor({ email: EMAIL, password })
  await eve.sessions.renewRecoveryCodes({ password })
  await eve.sessions.removeTotp({ password })
  const addPasskey = async (name: string) => {
    const { challenge } = await eve.sessions.startPasskey({ password })
    const answer = makePasskey(new URL(base_url).origin, String(challenge))
    return (await eve.sessions.addPasskey({ name, answer })).passkey
  }
  const { id } = await addPasskey('Laptop')
  await addPasskey('Phone')
  await eve.sessions.removePasskey({ id, password })
  const { user } = await eve.sessions.get()
  await session.sessions.resetSecondFactor({ id: user.id })
}

async function endSessions(tour: Tour, eve: Parley) {
  const visitor = connect({ base_url: tour.base_url })
  await visitor.sessions.signIn({ email: EMAIL, password: PASSWORD })
  const { data } = await eve.sessions.listOwn({ limit: 2 })
  await eve.sessions.endOwn({ id: data.find(({ current }) => !current)?.id ?? 0 })
  await eve.sessions.endOther()
  await eve.sessions.changeOwnPassword({ current_password: PASSWORD, password: `${PASSWORD} 2` })
  await visitor.sessions.requestPasswordReset({ email: EMAIL })
  const token = await linkIn(tour, EMAIL, 'reset')
  await visitor.sessions.getPasswordReset({ token })
  const again = await visitor.sessions.resetPassword({ token, password: PASSWORD })
  await connect({ base_url: tour.base_url, token: again.token }).sessions.signOut()
}

/** Notification settings, Web Push, and the mail digest with its link that ends it. */
async function notify(tour: Tour, eve: Parley) {
  const { t, owner, control, chat_id } = tour
  const browser = (await startPushService(t)).browser()
  await eve.sessions.getPushKey()
  const { id } = await eve.sessions.addPushSubscription({ subscription: browser.subscription })
  await eve.sessions.listPushSubscriptions()
  await eve.sessions.sendTestPush({ id })
  await eve.sessions.removePushSubscription({ id })
  await eve.profile.getNotificationSettings()
  await eve.profile.updateNotificationSettings({ notifications: { level: 'all', mail_digest: 'hourly' } })
  const { user } = await eve.sessions.get()
  await owner.members.add({ id: chat_id, member_ids: [user.id] })
  await owner.messages.create({ message: { entity_id: chat_id, content: `<@${user.id}> where are you?` } })
  await control.moveClock({ advance_s: 2 * 3600 })
  const token = await linkIn(tour, EMAIL, 'unsubscribe')
  await connect({ base_url: tour.base_url }).profile.stopMailDigest({ token })
  await eve.profile.setChatNotifications({ id: chat_id, level: 'nothing', muted_until: null })
}

/** Personal tokens, one of them with limits: a write that waits for a person, and a refusal that is looked up. */
async function limitTokens({ base_url, session, chat_id }: Tour) {
  const issue = (name: string, limits = {}) =>
    session.sessions.createPersonalToken({ name, scopes: ['messages:create', 'messages:read'], limits })
  const assistant = await issue('Assistant', { chat_ids: [chat_id], approval: 'writes', writes_per_day: 50 })
  await session.sessions.listPersonalTokens({ limit: 1 })
  const program = connect({ base_url, token: assistant.access_token })
  const saying = { message: { entity_id: chat_id, content: 'May I?' } }
  const refused = (await program.messages.create(saying).catch((error) => error)) as ApiFailure
  await session.bots.getRefusal({ request_id: refused.request_id ?? '' })
  const { data } = await session.oauth.listApprovals()
  await session.oauth.decideApproval({ id: data[0]?.id ?? 0, approved: true })
  await session.sessions.updatePersonalToken({ id: assistant.id, name: 'Old assistant' })
  await session.sessions.deletePersonalToken({ id: assistant.id })
  const other = await issue('Script')
  await session.sessions.listWorkspaceTokens({ limit: 1 })
  await session.sessions.revokeWorkspaceToken({ id: other.id })
}

/** A browser in which Eve is signed in at the page that asks for consent. */
async function openConsent(base_url: string) {
  const browser = openBrowser(new URL(base_url).origin)
  await browser.submit(CONSENT, await browser.visit(CONSENT), 'sign-in', { email: EMAIL, password: PASSWORD })
  return browser
}

/** Signs devices in, with Eve in front of the page that asks for their codes. */
async function signDevicesIn({ base_url }: Tour, eve: Parley, browser: ReturnType<typeof openBrowser>) {
  const { oauth } = connect({ base_url })
  const client_id = 'parley_cli'
  const signDeviceIn = async (device_name: string) => {
    const { device_code, user_code } = await oauth.startDeviceSignIn({ client_id, device_name })
    const typed = await browser.submit(CONSENT, await browser.visit(CONSENT), 'code', { user_code })
    await browser.submit(CONSENT, typed, 'device', { answer: 'approve' })
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    return oauth.exchangeToken({ grant_type, client_id, device_code })
  }
  const { access_token: token } = await signDeviceIn('Laptop')
  await connect({ base_url, token }).oauth.revokeToken({ token })
  await signDeviceIn('Phone')
  const logins = await eve.oauth.listDeviceLogins()
  await eve.oauth.endDeviceLogin({ id: logins.data[0]?.id ?? 0 })
}

/** The account of Eve, to its deletion. */
export async function settleIn(tour: Tour) {
  const eve = await signEveIn(tour.base_url)
  await notify(tour, eve)
  await protect(tour, eve)
  const browser = await openConsent(tour.base_url)
  await actFor(tour, eve, browser, await addApps(tour))
  await signDevicesIn(tour, eve, browser)
  await limitTokens(tour)
  const { user } = await eve.sessions.get()
  await endSessions(tour, eve)
  await tour.session.users.previewDeletion({ id: user.id })
  await tour.owner.users.delete({ id: user.id })
}
