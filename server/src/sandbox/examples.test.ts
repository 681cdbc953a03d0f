import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { after, before, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Message, type Sandbox, type SandboxPerson, startSandbox, upload } from '@parley/sdk'
import { findPort } from '../../../postgres/dist/testing-port.js'
import { openBrowser } from '../testing/browser.js'
import { fillIn, inOneMoment } from './testing-forms.js'

let sandbox: Sandbox
let ann: SandboxPerson

before(async () => {
  sandbox = await startSandbox({ env: { PARLEY_LOG_LEVEL: 'silent' } })
  await sandbox.control.setLimits({ enabled: false })
  ann = await sandbox.person({ first_name: 'Ann' })
})
after(() => sandbox.stop())

interface Run {
  program?: string
  args?: string[]
  env?: Record<string, string>
}

/** Starts an example as its readers would, and waits for the line that says it is ready. */
async function start(t: TestContext, name: string, ready: RegExp, { program, args = [], env }: Run = {}) {
  const file = fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url))
  const given = { BASE_URL: sandbox.base_url, OWNER_TOKEN: sandbox.owner_token, PORT: '0', ...env }
  const child = spawn(program ?? process.execPath, [file, ...args], {
    env: { ...process.env, ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  t.after(() => {
    child.kill()
    return ended
  })
  let said = ''
  return new Promise<{ bot_id: number; ready: RegExpExecArray }>((resolve, reject) => {
    const hear = (text: string) => {
      said += text
      const found = ready.exec(said)
      if (found) resolve({ bot_id: Number(/^bot (\d+):/m.exec(said)?.[1]), ready: found })
    }
    child.stdout.setEncoding('utf8').on('data', hear)
    child.stderr.setEncoding('utf8').on('data', hear)
    child.once('exit', (code) => reject(new Error(`${name} ended with code ${code}:\n${said}`)))
  })
}

/** A chat of Ann and the bot, and what is said in it. */
async function chatWith(bot_id: number) {
  const chat = await sandbox.owner.chats.create({ chat: { name: 'Example', member_ids: [ann.id, bot_id] } })
  return {
    id: chat.id,
    say: (content: string, more: object = {}) =>
      ann.messages.create({ message: { entity_id: chat.id, content, ...more } }),
    /** The latest message that says this, once it is there. */
    async heard(pattern: RegExp): Promise<Message> {
      for (;;) {
        const { data } = await ann.messages.list({ chat_id: chat.id, limit: 3 })
        const found = data.find(({ content }) => pattern.test(content))
        if (found) return found
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

const press = (message: Message, column = 0) =>
  sandbox.control.press({ user_id: ann.id, message_id: message.id, column })

const submit = (data: Record<string, string>) => fillIn(sandbox.control, ann.id, data)

test('approval: a button settles it, and a form asks why not', async (t) => {
  const { bot_id } = await start(t, 'approval.mjs', /listening at/)
  const chat = await chatWith(bot_id)
  await chat.say('/approve two days off')
  await press(await chat.heard(/asks for: two days off$/))
  const settled = await chat.heard(/two days off\nApproved by/)
  assert.deepEqual(settled.buttons ?? [], [])
  await chat.say('/approve a yacht')
  const asked = await chat.heard(/asks for: a yacht$/)
  await inOneMoment(sandbox.control, async () => {
    await press(asked, 1)
    assert.equal((await submit({ reason: 'no' })).errors[0].message, 'A few words more, please.')
    assert.deepEqual(await submit({ reason: 'too far from the sea' }), { status: 'accepted' })
  })
  await chat.heard(/a yacht\nRefused by .*: too far from the sea$/)
})

test('unfurl, polling and files: each hears its own event', async (t) => {
  const [unfurl, polling, files] = await Promise.all([
    findPort().then((port) => start(t, 'unfurl.mjs', /listening at/, { env: { PORT: String(port) } })),
    start(t, 'polling.mjs', /polling/),
    start(t, 'files.mjs', /listening at/),
  ])
  const links = await chatWith(unfurl.bot_id)
  const linked = await links.say('see https://tracker.example.org/issues/7')
  const queue = await chatWith(polling.bot_id)
  await queue.say('/load')
  await queue.heard(/: \d+\.\d\d$/)

  const attached = await chatWith(files.bot_id)
  await attached.say('', { files: [await upload(ann, { name: 'notes.txt', content: 'one two\nthree' })] })
  const counted = await attached.heard(/^Counted:$/)
  const figures = await ann.files.download({ id: counted.files[0]?.id ?? 0 })
  assert.equal(await figures.text(), 'name,lines,words\nnotes.txt,2,3\n')

  await sandbox.control.settle()
  const previews = await ann.messages.listLinkPreviews({ message_ids: [linked.id] })
  assert.match(JSON.stringify(previews), /Issue 7/)
})

test('CI notices: what failed is told, what passed is not', async (t) => {
  const chat = await chatWith(ann.id)
  const { ready } = await start(t, 'ci-notices.mjs', /post to (\S+)/, { env: { CHAT_ID: String(chat.id) } })
  const post = (status: string) =>
    fetch(ready[1] ?? '', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        project: 'web',
        branch: 'main',
        status,
        author: 'ann',
        url: 'https://ci.example.org/7',
      }),
    })
  await post('passed')
  assert.equal((await post('failed')).status, 200)
  await chat.heard(/^\*\*web\*\* on `main`: failed \(ann\)\nhttps:\/\/ci\.example\.org\/7$/)
  assert.equal(
    (await ann.messages.list({ chat_id: chat.id })).data.filter(({ content }) => /web/.test(content)).length,
    1,
  )
})

/** A person with a password, as an invitation makes one. */
async function withPassword(email: string, password: string) {
  await sandbox.owner.users.create({ user: { email, first_name: 'Olga' } })
  await sandbox.control.settle()
  const mail = (await sandbox.control.listMail()).find(({ to }) => to === email)
  const [, token = ''] = /\/invite\/(\S+)/.exec(mail?.text ?? '') ?? []
  await sandbox.as('').sessions.acceptInvite({ token, password, first_name: 'Olga' })
}

test('OAuth app: Olga signs in with the workspace, and the application knows her name', async (t) => {
  const port = String(await findPort())
  await start(t, 'oauth-app.mjs', /listening at/, { env: { PORT: port } })
  await withPassword('olga@example.org', 'open sesame')
  const door = await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' })
  const path = door.headers.get('location') ?? ''
  const browser = openBrowser(new URL(sandbox.base_url).origin)
  const login = { email: 'olga@example.org', password: 'open sesame' }
  const signed = await browser.submit(path, await browser.visit(path), 'sign-in', login)
  assert.equal(signed.status, 303, signed.text)
  const back = await browser.submit(path, await browser.visit(path), 'consent', { answer: 'allow' })
  const query = new URL(back.location ?? '').search
  assert.equal(
    await (await fetch(`http://127.0.0.1:${port}/back${query}`)).text(),
    'Hello Olga! You stay signed in.',
  )
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/back${query}`)).text(), 'Not signed in.')
})

const python = spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']).status === 0

test('the bot in Python greets, asks with a form, and says what it was told', async (t) => {
  if (!python) return t.skip('python3 (3.9 or newer) is not installed: the example in Python was not started')
  const { bot_id } = await start(t, 'echo_bot.py', /listening at/, { program: 'python3' })
  const chat = await chatWith(bot_id)
  await chat.say('/hello')
  const asked = await chat.heard(/^Hello! What shall I say\?$/)
  await inOneMoment(sandbox.control, async () => {
    await press(asked)
    assert.equal((await submit({ text: 'nothing' })).errors[0].message, 'Anything but that')
    assert.deepEqual(await submit({ text: 'Good morning' }), { status: 'accepted' })
  })
  await chat.heard(/^Good morning$/)
})

// Last: it moves the clock of the sandbox by days, which outdates the signatures of webhooks.
test('standup: the question comes every weekday', async (t) => {
  const chat = await chatWith(ann.id)
  const env = { TOKEN: ann.token, CHAT_ID: String(chat.id) }
  await start(t, 'standup.mjs', /next standup at .*T07:30:00.000Z/, {
    args: ['09:30+02:00', 'Etc/GMT-2'],
    env,
  })
  await sandbox.control.moveClock({ advance_s: 8 * 24 * 3600 })
  const { data } = await ann.messages.list({ chat_id: chat.id })
  const days = data
    .filter(({ content }) => /^Standup/.test(content))
    .map(({ created_at }) => new Date(created_at).getUTCDay())
  assert.equal(days.length >= 5 && days.length <= 6, true, String(days))
  assert.ok(days.every((day) => day >= 1 && day <= 5))
})
