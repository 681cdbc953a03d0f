import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { getUser, getWorkspaceSettings, listChatMembers } from '@parley/contract'
import type { Page } from 'playwright-core'
import { faultsInEveryLook } from './axe.js'
import { stage } from './browser.js'
import { signedFile, smallExport } from './small-export.js'

/** What only this journey shows; `looks.test.ts` sees each page as it is opened. */
async function look(page: Page) {
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** Checks an archive from the device, runs it, reads the report and takes it out again. */
async function importArchive(page: Page, archive: string) {
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'Choose an archive.' }).waitFor()
  await page.getByLabel('Choose an archive').setInputFiles(archive)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  const card = (name: string) => page.getByRole('article', { name, exact: true })
  const check = card('Check of export.zip')
  await check.getByRole('button', { name: 'Import export.zip' }).waitFor()
  await check.getByRole('row', { name: 'Messages 2 2 0 0' }).waitFor()
  await look(page)
  await check.getByRole('button', { name: 'Import export.zip' }).click()
  const run = card('Import of export.zip')
  await run.getByRole('link', { name: 'Hide the report' }).waitFor()
  await run.getByRole('row', { name: 'Messages 2 2 0 0' }).waitFor()
  await run.getByRole('button', { name: 'Undo the import of export.zip' }).click()
  const question = page.getByRole('dialog', { name: 'Undo the import of export.zip?' })
  await question.getByText('This removes for good: 1 person, 1 chat, and 2 messages.').waitFor()
  await question.getByRole('button', { name: 'Undo', exact: true }).click()
  await card('Removal of export.zip').getByRole('status').filter({ hasText: 'Done' }).waitFor()
}

/** Checks a portable file against a key that did not sign it, then against the one that did. */
async function checkSigned(page: Page, { path, key, strange_key }: Awaited<ReturnType<typeof signedFile>>) {
  const check = page.getByRole('article', { name: 'Check of acme.parley', exact: true })
  await page.getByLabel('Choose an archive').setInputFiles(path)
  await page.getByText('Choices', { exact: true }).click()
  const field = page.getByRole('textbox', { name: 'Public key of a portable file', exact: true })
  await field.fill('no key')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'This is no Ed25519 public key in PEM.' }).waitFor()
  await field.fill(strange_key)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  const failed = check.filter({ hasText: 'The archive cannot be imported: the file is not whole: ' })
  await failed.waitFor()
  await field.fill(key)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  const done = check.filter({ has: page.getByRole('button', { name: 'Import acme.parley', exact: true }) })
  await done.getByRole('row', { name: 'Tags 1 1 0 0', exact: true }).waitFor()
  await done.getByRole('listitem').filter({ hasText: 'passwords, tokens and secrets' }).waitFor()
}

const named = (page: Page, role: 'button' | 'dialog', name: string) =>
  page.getByRole(role, { name, exact: true })

async function deleteNamed(page: Page, name: string, title: string, text?: string) {
  await named(page, 'button', `Delete ${name}`).click()
  if (text) await named(page, 'dialog', title).getByText(text).waitFor()
  await named(page, 'dialog', title).getByRole('button', { name: 'Delete', exact: true }).click()
  await named(page, 'button', `Delete ${name}`).waitFor({ state: 'detached' })
}

/** Writes a rule against leaks with a wrong pattern, mends and tries it, keeps it, and deletes it again. */
async function keepRule(page: Page) {
  await page.getByRole('button', { name: 'New rule', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'New rule', exact: true })
  const save = dialog.getByRole('button', { name: 'Save', exact: true })
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Card numbers')
  const condition = dialog.getByRole('group', { name: 'Condition 1', exact: true })
  await condition.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('regex')
  const pattern = condition.getByRole('textbox', { name: 'Regular expression', exact: true })
  await pattern.fill('(')
  await save.click()
  await condition.getByText('This is no regular expression of RE2.', { exact: true }).waitFor()
  await pattern.fill('[0-9]{16}')
  await dialog.getByRole('textbox', { name: 'Sample texts', exact: true }).fill('4000123412341234\nfour')
  await dialog.getByRole('button', { name: 'Try', exact: true }).click()
  const results = dialog.getByRole('list', { name: 'Results', exact: true }).getByRole('listitem')
  await results.first().waitFor()
  assert.deepEqual(await results.allTextContents(), ['Matches: 4000123412341234', 'Does not match: four'])
  await look(page)
  await save.click()
  await page.getByRole('switch', { name: 'Card numbers: Enabled', exact: true }).waitFor()
  await deleteNamed(page, 'Card numbers', 'Delete Card numbers?')
}

/** Fills the dialog that asks for a name, and saves it. */
async function giveName(page: Page, title: string, name: string) {
  const dialog = named(page, 'dialog', title)
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
}

/** Creates a tag once its name is allowed, renames and deletes it. */
async function keepTag(page: Page) {
  await named(page, 'button', 'New tag').click()
  await giveName(page, 'New tag', 'here')
  await page.getByText('“all” and “here” mention everybody. Choose another name.', { exact: true }).waitFor()
  await giveName(page, 'New tag', 'night shift')
  await named(page, 'button', 'Rename night shift').click()
  await giveName(page, 'Rename night shift', 'day shift')
  await deleteNamed(page, 'day shift', 'Delete the tag day shift?')
}

/** Adds a field to tasks and deletes it. */
async function keepField(page: Page) {
  await page.getByRole('combobox', { name: 'Fields of', exact: true }).selectOption('Task')
  await named(page, 'button', 'New field').click()
  const type = named(page, 'dialog', 'New field').getByRole('combobox', { name: 'Type', exact: true })
  await type.selectOption('number')
  await look(page)
  await giveName(page, 'New field', 'Floor')
  await page.getByRole('row', { name: /^Floor Number / }).waitFor()
  await deleteNamed(page, 'Floor', 'Delete the field Floor?', '0 values that were filled in go with it.')
}

/** Sets up an identity provider with a wrong address, mends and tests it, and makes a SCIM token. */
async function keepProvider(page: Page) {
  await named(page, 'button', 'Add a provider').click()
  const dialog = named(page, 'dialog', 'Add a provider')
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true })
  await field('Name').fill('House')
  await field('Client ID').fill('parley')
  await field('Address of the provider (issuer)').fill('http://id.example.org')
  await dialog.getByRole('button', { name: 'Add a group', exact: true }).click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('This is no address of a provider', { exact: false }).waitFor()
  await look(page)
  await field('Address of the provider (issuer)').fill('http://127.0.0.1:1')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await named(page, 'button', 'Test the connection to House').click()
  await page.getByRole('status').filter({ hasText: 'Broken at: The address answers' }).waitFor()
  await page.keyboard.press('Escape')
  await deleteNamed(page, 'House', 'Delete House?')
  assert.ok(await page.getByRole('switch', { name: /^People may sign in with a password/ }).isDisabled())
  await named(page, 'button', 'New SCIM token').click()
  const naming = named(page, 'dialog', 'New SCIM token')
  await naming.getByRole('textbox', { name: 'Name', exact: true }).fill('directory')
  await naming.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await named(page, 'button', 'Revoke directory').waitFor()
  const tokens = page.getByRole('table').filter({ hasText: 'directory' })
  await tokens.getByRole('columnheader', { name: 'Last used' }).waitFor()
}

test('the owner invites many, changes a role, suspends and deletes, and sees the whole of the workspace', async (t) => {
  const s = await stage(t)
  if (!s) return
  const page = await s.open({ id: 1 }, '/admin/people')
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })
  await row('alice@example.org').waitFor()

  await page.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite people' })
  await dialog.getByLabel('People').fill('nina@example.org, Nina\nnobody')
  await dialog.getByText('Line 2 has no valid email.').waitFor()
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `email,first name\nnina@example.org,Nina\nalice@example.org,Alice\nlong@example.org,${'Long'.repeat(60)}\n`,
    ),
  })
  // The first of them does not reach the server, and is tried again alone.
  await page.route('**/v1/users', (route) => route.abort(), { times: 1 })
  await dialog.getByRole('button', { name: 'Invite 3 people' }).click()
  await dialog.getByText('nina@example.org: The server cannot be reached. Try again in a moment.').waitFor()
  await dialog.getByText('1 of 3 were invited.').waitFor()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByText('2 of 3 were invited.').waitFor()
  await dialog.getByText('alice@example.org: is here already').waitFor()
  await look(page)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await row('nina@example.org').getByText('Invited').waitFor()
  // A name of one long word pushes no column out of the table.
  await row('long@example.org').waitFor()
  const [shown, whole] = await page
    .locator('.table-box')
    .evaluate((box) => [box.clientWidth, box.scrollWidth] as const)
  assert.equal(whole, shown)

  const choose = async (name: string, item: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page
      .getByRole('menuitem', { name: item })
      .or(page.getByRole('menuitemcheckbox', { name: item }))
      .click()
  }
  await choose('Bob', 'Admin')
  await row('bob@example.org').getByText('Admin').waitFor()
  await choose('Bob', 'Suspend')
  await page.getByRole('dialog', { name: 'Suspend Bob?' }).getByRole('button', { name: 'Suspend' }).click()
  await row('bob@example.org').getByText('Suspended').waitFor()
  await choose('Bob', 'Let in again')
  await row('bob@example.org').getByText('Suspended').waitFor({ state: 'detached' })
  await choose('Alice', 'Delete')
  const question = page.getByRole('dialog', { name: 'Delete Alice for good?' })
  await question.getByText('Leaves 3 chats. 3 chats lose their creator.').waitFor()
  await question.getByRole('button', { name: 'Delete' }).click()
  await row('alice@example.org').waitFor({ state: 'detached' })
  await assert.rejects(s.owner.call(getUser, { params: { id: s.alice.id } }), { status: 404 })

  const go = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true }).click()
  await go('Tags')
  await keepTag(page)
  await go('Custom fields')
  await keepField(page)
  await go('Chats')
  await row('news').waitFor()
  await page.getByRole('searchbox', { name: 'Find by name' }).fill('OFF')
  await row('news').waitFor({ state: 'detached' })
  await row('office').getByText('(has left)').waitFor()
  await page.getByRole('button', { name: 'Actions for office', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Appoint an admin', exact: true }).click()
  const appointing = named(page, 'dialog', 'Admin of office')
  await appointing.getByRole('combobox', { name: 'Admin', exact: true }).selectOption('Bob')
  await look(page)
  await appointing.getByRole('button', { name: 'Appoint an admin', exact: true }).click()
  await appointing.waitFor({ state: 'detached' })
  const appointed = { params: { id: s.office.id }, query: { role: 'admin' as const } }
  assert.deepEqual(
    (await s.owner.call(listChatMembers, appointed)).data.map(({ id }) => id),
    [s.bob.id],
  )
  await go('Tokens')
  await row('Mia').first().waitFor()
  await go('Audit log')
  await page.getByLabel('Event').selectOption('user_deleted')
  await row(`Alice (${s.alice.id})`).waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const csv = await readFile(await (await saved).path(), 'utf8')
  assert.match(csv, /^\ufeffcreated_at,event_key,.*\r\n.*,user_deleted,1,.*,User,/)
  await page.getByRole('button', { name: 'Check integrity', exact: true }).click()
  const wholeLog = page
    .getByRole('status')
    .filter({ hasText: /^The log is whole: \d+ records? (was|were) checked\./ })
  await wholeLog.waitFor()

  await go('DLP rules')
  await keepRule(page)
  await go('Exports')
  await page.getByLabel('From').fill('2030-01-01')
  await page.getByLabel('To').fill('2030-09-01')
  await page.getByRole('button', { name: 'Order' }).click()
  await page.getByText('Choose a period of at most 45 days.').waitFor()
  await look(page)
  await go('Import')
  await importArchive(page, await smallExport(t))
  await checkSigned(page, await signedFile(t))
  await go('Retention')
  await page.getByLabel('Channels, days').fill('none')
  await page.getByText('A number from 1 to 36 500, or nothing.').waitFor()
  await page.getByLabel('Channels, days').fill('30')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: '30', exact: true }).waitFor()
  await go('Workspace')
  await page.getByLabel('Time zone').fill('Mars/Olympus')
  await page.getByLabel('Licences').fill('50')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('There is no such time zone.').waitFor()
  await page.getByLabel('Time zone').fill('Europe/Vienna')
  const taken = page.waitForResponse(
    (answer) => answer.request().postData()?.includes('Europe/Vienna') === true && answer.ok(),
  )
  await page.getByRole('button', { name: 'Save' }).click()
  await taken
  const owner = await s.as(1, { session: true })
  const { data } = await owner.call(getWorkspaceSettings)
  assert.deepEqual([data.time_zone, data.licenses], ['Europe/Vienna', 50])
  await go('Sign-in')
  await keepProvider(page)
  await go('Limits')
  await page
    .getByRole('row', { name: 'Writing messages, in one chat 4 in 1 second Token and chat' })
    .waitFor()
  await go('Usage')
  await page.getByText('Size of the database').waitFor()
  await page.route('**/v1/company/health', (route) => route.abort(), { times: 1 })
  await go('Health')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('row', { name: /^Disk In order / }).waitFor()
  await page.getByRole('button', { name: 'Check again', exact: true }).waitFor()

  const mia = await s.open(s.mia, '/admin/people')
  await mia.getByRole('heading', { name: 'You have no access to this page' }).waitFor()
  assert.deepEqual(s.complaints, [])
})
