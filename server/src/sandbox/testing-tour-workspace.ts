import { readFile } from 'node:fs/promises'
import { slackExport } from '@parley/imports/testing'
import { connect, upload } from '@parley/sdk'
import sharp from 'sharp'
import { CLIENT, openBrowser, startProvider, type TestProvider } from '../identities/testing-provider.js'
import { archiveOf } from '../imports/testing-import.js'
import type { Tour } from './testing-tour.js'
import { EMAIL, PASSWORD, signEveIn } from './testing-tour-account.js'

async function set({ session, owner }: Tour) {
  const { workspace, customProperties, files, security } = session
  await workspace.getSettings()
  await workspace.updateSettings({ name: 'Northern Railways' })
  await workspace.getUsage()
  await workspace.getLimits()
  await workspace.getHealth()
  const desk = await customProperties.create({ entity_type: 'User', name: 'Desk', data_type: 'string' })
  await customProperties.update({ id: desk.id, name: 'Room' })
  await customProperties.previewDeletion({ id: desk.id })
  await customProperties.delete({ id: desk.id })
  await files.getPerimeter()
  await files.setPerimeter({ addresses: ['127.0.0.0/8', '::1/128'] })
  await security.getRetention()
  const days = { conversation: 400, channel: null, personal: null, thread: 400 }
  await security.previewRetention({ days })
  await security.updateRetention({ days })
  await owner.security.checkAuditIntegrity()
}

async function guard({ session: { security } }: Tour) {
  const body = {
    conditions: { any: [{ type: 'regex', pattern: '\\b\\d{16}\\b' }] },
    action: { type: 'BLOCK', message: 'No card numbers, please.' },
  }
  await security.tryDlpRule({ body, texts: ['4000 1234 5678 9010', '4000123456789010'] })
  const rule = await security.createDlpRule({ name: 'Card numbers', priority: 10, enabled: false, body })
  await security.listDlpRules({ limit: 1 })
  await security.updateDlpRule({ id: rule.id, name: 'Bank cards' })
  await security.deleteDlpRule({ id: rule.id })
}

async function provision({ session: { signIn } }: Tour) {
  const { id, token, base_url } = await signIn.createScimToken({ name: 'Directory' })
  const answer = await fetch(`${base_url}/Users?count=1`, { headers: { Authorization: `Bearer ${token}` } })
  await answer.text()
  await signIn.listScimTokens()
  await signIn.listScimRequests()
  await signIn.deleteScimToken({ id })
}

/** Links Eve's account to what she is at the provider, and unlinks it. */
async function link({ base_url }: Tour, house: TestProvider, provider_id: number) {
  const browser = openBrowser()
  const post = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json', 'Parley-Client': 'web' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return JSON.parse((await browser.visit(base_url + path, init)).text).data
  }
  const eve = await signEveIn(base_url)
  await post('/sessions', { email: EMAIL, password: PASSWORD, cookie: true })
  house.next = 'eve'
  const begun = await post('/profile/identities', { slug: 'house', password: PASSWORD })
  await browser.visit(begun.url)
  await eve.signIn.getOwn()
  await eve.signIn.unlinkIdentity({ provider_id, password: PASSWORD })
}

/** Signs Ann in through a real OpenID provider, and out again there. */
export async function signInElsewhere(tour: Tour) {
  const { t, base_url, session } = tour
  const { origin: url } = new URL(base_url)
  const house = await startProvider(t, { url })
  house.people.set('ann', { email: 'ann@example.org', email_verified: true })
  house.people.set('eve', {})
  const { id } = await session.signIn.createIdentityProvider({
    slug: 'house',
    name: 'House',
    issuer: house.issuer,
    ...CLIENT,
  })
  await session.signIn.listIdentityProviders()
  await session.signIn.tryIdentityProvider({ id })
  await connect({ base_url }).signIn.getOptions()
  await link(tour, house, id)
  house.next = 'ann'
  const browser = openBrowser()
  await browser.visit(`${url}/sign-in/oidc/house`)
  await session.signIn.getCoverage()
  const token = browser.cookies(new URL(url).host).get('parley_session')
  const { signIn } = connect({ base_url, token })
  await signIn.confirmByProvider({ slug: 'house' })
  const provider = await signIn.getSessionProvider()
  const page = await browser.visit(provider?.sign_out_url ?? '')
  const [, action = '', xsrf = ''] = /action="([^"]+)".*value="([^"]+)"/s.exec(page.text) ?? []
  await browser.visit(action, { method: 'POST', body: new URLSearchParams({ xsrf, logout: 'yes' }) })
  await session.signIn.updateIdentityProvider({ id, enabled: false })
  await session.signIn.deleteIdentityProvider({ id })
}

async function moveData({ t, owner, session, control, chat_id }: Tour) {
  await owner.exports.order({ start_at: '2030-01-31', end_at: '2030-01-31', chat_ids: [chat_id] })
  await control.settle()
  const { data } = await owner.exports.list({ limit: 1 })
  await owner.exports.download({ id: data[0]?.id ?? 0 })
  const content = await readFile(await archiveOf(t, slackExport()))
  const { key } = await upload(owner, { name: 'slack.zip', content })
  const { id } = await session.imports.order({ import: { kind: 'run', file_key: key } })
  await control.settle()
  await session.imports.get({ id })
  await session.imports.list({ limit: 1 })
  await session.imports.previewUndo({ id })
  await session.imports.undo({ id })
  await control.settle()
}

async function picture({ owner, ann, ann_id, base_url }: Tour) {
  const create = { width: 64, height: 64, channels: 3, background: '#369' } as const
  const bytes = await sharp({ create }).png().toBuffer()
  const image = new File([new Uint8Array(bytes)], 'ann.png', { type: 'image/png' })
  const { image_url } = await ann.profile.setOwnAvatar({ image })
  await connect({ base_url }).profile.getAvatar({ name: new URL(image_url).pathname.split('/').at(-1) ?? '' })
  await ann.profile.deleteOwnAvatar()
  await owner.users.setAvatar({ user_id: ann_id, image })
  await owner.users.deleteAvatar({ user_id: ann_id })
}

/** What owner and admins look after. */
export async function manage(tour: Tour) {
  await set(tour)
  await guard(tour)
  await provision(tour)
  await moveData(tour)
  await picture(tour)
}
