import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createMessage,
  createPersonalToken,
  decideApproval,
  getProfile,
  listApprovals,
  updateWorkspaceSettings,
} from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { Secret, TOTP } from 'otpauth'
import { faultsInEveryLook } from './axe.js'
import { stage } from './browser.js'

test('somebody makes a token, narrows it, revokes it, and signs out a device that was let in by code', async (t) => {
  const s = await stage(t)
  if (!s) return
  const page = await s.open(s.bob, '/settings/tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New token' })
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('Choose at least one right.').waitFor()
  await dialog.getByLabel('Name').fill('backup')
  await dialog.getByRole('checkbox', { name: 'All of Messages' }).check()
  await dialog.getByRole('checkbox', { name: 'Own profile: Read' }).check()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
  await dialog.getByRole('button', { name: 'Create' }).click()
  const value = await page.getByRole('dialog', { name: 'Copy it now' }).getByLabel('backup').inputValue()
  const script = createClient({ base_url: `${s.url}/v1`, token: value })
  assert.equal((await script.call(getProfile)).data.id, s.bob.id)
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Edit backup' }).click()
  const edit = page.getByRole('dialog', { name: 'backup' })
  await edit.getByRole('checkbox', { name: 'Own profile: Read' }).uncheck()
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.waitFor({ state: 'detached' })
  await assert.rejects(script.call(getProfile), { status: 403 })
  await page.getByRole('button', { name: 'Revoke backup' }).click()
  await page.getByRole('dialog', { name: 'Revoke backup?' }).getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke backup' }).waitFor({ state: 'detached' })
  await assert.rejects(script.call(getProfile), { status: 401 })

  // The command line on another computer asks to be let in.
  const cli = (path: string, body: Record<string, string>) =>
    fetch(`${s.url}/v1/oauth/${path}`, { method: 'POST', body: new URLSearchParams(body) })
  const started = await cli('device_authorization', { client_id: 'parley_cli', device_name: 'old laptop' })
  const { user_code, device_code } = (await started.json()) as Record<string, string>
  await page.goto(`${s.url}/apps/authorize`)
  await page.getByRole('textbox').fill(user_code ?? '')
  await page.getByRole('textbox').press('Enter')
  await page.getByRole('button', { name: 'Allow' }).click()
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  await page.getByRole('button', { name: 'Allow' }).waitFor({ state: 'detached' })
  await cli('token', { grant_type, client_id: 'parley_cli', device_code: device_code ?? '' })

  await page.goto(`${s.url}/settings/apps`)
  await page.getByText('No app acts for you.').waitFor()
  await page.getByText('old laptop').waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.getByRole('button', { name: 'Sign out old laptop' }).click()
  await page.getByText('No device was signed in by code.').waitFor()

  // A program that may write only what its holder approves.
  const session = await s.as(s.bob.id, { session: true })
  const { data } = await session.call(createPersonalToken, {
    body: { name: 'assistant', scopes: ['messages:create'], limits: { approval: 'writes' } },
  })
  const assistant = createClient({ base_url: `${s.url}/v1`, token: data.access_token })
  const write = (content: string) =>
    assistant.call(createMessage, { body: { message: { entity_id: s.office.id, content } } })
  await assert.rejects(write('may I?'), { status: 403 })
  await page.goto(`${s.url}/notices`)
  await page.getByRole('link', { name: 'A program asks for your approval' }).click()
  await page.getByLabel('Request createMessage').filter({ hasText: 'may I?' }).waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Approve', exact: true }).press('Enter')
  await page.getByText('Approved', { exact: true }).waitFor()
  assert.equal((await write('may I?')).data.content, 'may I?')

  // What comes while the page is open, and what another device answers, stands there by itself.
  await assert.rejects(write('and now?'), { status: 403 })
  await page.getByLabel('Request createMessage').filter({ hasText: 'and now?' }).waitFor()
  const { data: asked } = await session.call(listApprovals)
  const id = asked.find(({ state }) => state === 'pending')?.id ?? 0
  await session.call(decideApproval, { params: { id }, body: { approved: false } })
  await page.getByText('Refused', { exact: true }).waitFor()
  assert.deepEqual(s.complaints, [])
})

test('somebody sets up codes and a passkey, and signs in with each; a workspace that asks for them shows nothing else', async (t) => {
  const s = await stage(t)
  if (!s) return
  // Browsers make passkeys for names alone.
  const url = s.url.replace('127.0.0.1', 'localhost')
  s.server.ctx.config.app_url = url
  const context = await s.newContext()
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
  const signIn = async () => {
    await page.goto(`${url}/sign-in`)
    await page.getByLabel('Email').fill('owner@parley.local')
    await page.getByLabel('Password').fill('correct horse')
    await page.getByLabel('Password').press('Enter')
  }
  const signOut = async () => {
    await page.goto(`${url}/settings/sessions`)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in to Parley' }).waitFor()
  }
  const confirm = async (dialog: string) => {
    const field = page.getByRole('dialog', { name: dialog }).getByLabel('Current password')
    await field.fill('correct horse')
    await field.press('Enter')
  }
  const codeNow = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: s.clock.now() })

  await signIn()
  await page.getByRole('navigation', { name: 'Chats' }).waitFor()
  await page.goto(`${url}/settings/security`)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Current password').fill('wrong')
  await page.getByLabel('Current password').press('Enter')
  await page.getByText('The current password is wrong.').waitFor()
  await confirm('Set up the app')
  const secret = await page.getByLabel('Key').inputValue()
  await page.getByLabel('Code from the app').fill('000000')
  await page.getByLabel('Code from the app').press('Enter')
  await page.getByText('This code does not fit.').waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByLabel('Code from the app').fill(codeNow(secret))
  await page.getByLabel('Code from the app').press('Enter')
  const codes = page.getByRole('dialog', { name: 'Keep these recovery codes' })
  const recovery = await codes.getByRole('listitem').first().innerText()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
  await codes.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name').fill('work laptop')
  await confirm('Add a passkey')
  await page.getByRole('button', { name: 'Remove the passkey work laptop' }).waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })

  await signOut()
  await signIn()
  await page.getByRole('heading', { name: 'Second step' }).waitFor()
  await page.getByLabel('Code').fill('123456')
  await page.getByLabel('Code').press('Enter')
  await page.getByText('This code or passkey does not fit.').waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByLabel('Code').fill(recovery)
  await page.getByLabel('Code').press('Enter')
  await page.getByRole('navigation', { name: 'Chats' }).waitFor()
  await signOut()
  await signIn()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('navigation', { name: 'Chats' }).waitFor()

  const owner = await s.as(1, { session: true })
  await owner.call(updateWorkspaceSettings, { body: { second_factor: 'required' } })
  const bob = await s.open(s.bob, '/')
  await bob.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
  assert.deepEqual(await faultsInEveryLook(bob), [])
  await page.goto(`${url}/settings/security`)
  await page.getByRole('button', { name: 'Turn off the app' }).click()
  await confirm('Turn off the app')
  await page.getByRole('button', { name: 'Set up' }).waitFor()
  assert.deepEqual(s.complaints, [])
})
