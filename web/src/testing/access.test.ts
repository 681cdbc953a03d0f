import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getProfile } from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
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
  await page.keyboard.press('Enter')
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
  assert.deepEqual(s.complaints, [])
})
