import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getBot, listAuditEvents, listMessages, tryTemplate, updateBot, updateUser } from '@parley/contract'
import { world } from '../../testing/world.js'
import { gitlabText } from './gitlab.js'
import { grafanaText } from './grafana.js'
import { createRenderer } from './render.js'

async function stageOf(t: Parameters<typeof world>[0], options?: Parameters<typeof world>[1]) {
  const stage = await world(t, options)
  const { ctx, url, alice, bot, office } = stage
  const { inbound_key } = await ctx.db.selectFrom('bots').select('inbound_key').executeTakeFirstOrThrow()
  const address = `${url}/webhooks/${inbound_key}`
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const set = (webhook: object) => alice.call(updateBot, { params: { id: bot.id }, body: { webhook } })
  const texts = async (chat_id = office.id) => {
    await stage.drain()
    const { data } = await alice.call(listMessages, { query: { chat_id, order: 'asc' } })
    return data.map(({ content }) => content)
  }
  return { ...stage, address, post, set, texts }
}

test('the field message is posted to every live conversation and channel of the bot', async (t) => {
  const { post, texts, ctx, bot, news, attic, office, alice, owner } = await stageOf(t)
  const joined = { user_id: bot.id, joined_at: new Date() }
  await ctx.db
    .insertInto('chat_members')
    .values([
      { ...joined, chat_id: news.id, role: 'admin' },
      { ...joined, chat_id: attic.id, role: 'member' },
    ])
    .execute()
  const answer = await post({ message: 'build is green' })
  assert.equal(answer.status, 200)
  assert.deepEqual(await answer.json(), { posted: { text: 'build is green', chats: 2 } })
  assert.deepEqual(await texts(office.id), ['build is green'])
  assert.deepEqual(await texts(news.id), ['build is green'])
  assert.deepEqual(await texts(attic.id), [])
  const { data } = await alice.call(listMessages, { query: { chat_id: office.id } })
  assert.equal(data[0]?.user_id, bot.id)
  const audited = await owner.call(listAuditEvents, { query: { event_key: 'message_created' } })
  const [entry] = audited.data
  assert.deepEqual([entry?.actor_id, entry?.ip_address], [String(bot.id), '127.0.0.1'])
})

test('a template is tried on a body without being kept, and nothing is posted', async (t) => {
  const { alice, bob, bot, texts } = await stageOf(t)
  const attempt = async (template: string, template_engine: 'liquid' | 'mustache', body: object) =>
    (
      await alice.call(tryTemplate, {
        params: { id: bot.id },
        body: { template, template_engine, body: body as Record<string, unknown> },
      })
    ).data
  assert.deepEqual(await attempt('{{ a | upcase }}', 'liquid', { a: 'x' }), { text: 'X', error: null })
  assert.deepEqual(await attempt('{{#list}}[{{.}}]{{/list}}', 'mustache', { list: [1, 2] }), {
    text: '[1][2]',
    error: null,
  })
  assert.deepEqual(await attempt('', 'liquid', { text: 'plain' }), { text: 'plain', error: null })
  assert.deepEqual(await attempt('{{ none }}', 'liquid', {}), { text: null, error: null })
  const broken = await attempt('{% if %}', 'liquid', {})
  assert.equal(broken.text, null)
  assert.match(broken.error ?? '', /line:1/)
  const input = {
    params: { id: bot.id },
    body: { template: 'x', template_engine: 'liquid' as const, body: {} },
  }
  await assert.rejects(bob.call(tryTemplate, input), { status: 403, code: 'not_authorized' })
  assert.deepEqual(await texts(), [])
})

test('the field text is posted too, and the answer tells what became of it', async (t) => {
  const { post, texts, set, ctx, bot } = await stageOf(t)
  const answered = async (body: unknown) => (await post(body)).json()
  assert.deepEqual(await answered({ text: 'build ok' }), { posted: { text: 'build ok', chats: 1 } })
  assert.deepEqual(await answered({ message: 'ours', text: 'theirs' }), {
    posted: { text: 'ours', chats: 1 },
  })
  assert.deepEqual(await answered({ other: 1 }), {
    posted: null,
    reason: 'send a field "text" or "message"',
  })
  assert.deepEqual(await texts(), ['build ok', 'ours'])
  await set({ template: '{{ nothing }}' })
  assert.deepEqual(await answered({ text: 'x' }), { posted: null, reason: 'the template gave an empty text' })
  await set({ template: '' })
  await ctx.db.deleteFrom('chat_members').where('user_id', '=', bot.id).execute()
  assert.deepEqual(await answered({ text: 'x' }), {
    posted: null,
    reason: 'the bot is in no conversation or channel: add it to one',
  })
})

test('texts stay in the order they came', async (t) => {
  const { post, texts } = await stageOf(t)
  const wanted = Array.from({ length: 9 }, (_, index) => `line ${index}`)
  for (const message of wanted) await post({ message })
  assert.deepEqual(await texts(), wanted)
})

test('a suspended bot posts nothing', async (t) => {
  const { post, texts, owner, bot } = await stageOf(t)
  const suspend = (suspended: boolean) =>
    owner.call(updateUser, { params: { id: bot.id }, body: { user: { suspended } } })
  await suspend(true)
  const refused = await post({ message: 'suspended' })
  const { errors } = (await refused.json()) as { errors: { code: string }[] }
  assert.deepEqual([refused.status, errors[0]?.code], [403, 'access_denied'])
  await suspend(false)
  await post({ message: 'back' })
  assert.deepEqual(await texts(), ['back'])
})

test('forms are read as well as JSON; other types are told what is accepted', async (t) => {
  const { address, post, texts } = await stageOf(t)
  const form = await fetch(address, { method: 'POST', body: new URLSearchParams({ message: 'by form' }) })
  assert.equal(form.status, 200)
  const parts = new FormData()
  parts.set('message', 'by parts')
  parts.set('file', new Blob(['x']), 'x.txt')
  assert.equal((await fetch(address, { method: 'POST', body: parts })).status, 200)
  for (const headers of [{ 'Content-Type': 'text/plain' }, { 'Content-Type': 'application/xml' }]) {
    const answer = await post('<a/>', headers)
    assert.equal(answer.status, 415)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(await answer.text(), /application\/json.*urlencoded.*multipart/)
  }
  assert.equal((await fetch(address, { method: 'POST' })).status, 415)
  assert.equal((await post('{"message":')).status, 400)
  assert.equal((await post('[1]')).status, 400)
  assert.equal((await post('x', { 'Content-Type': 'multipart/form-data' })).status, 400)
  assert.equal((await post({ message: 'x'.repeat(1024 * 1024) })).status, 413)
  assert.deepEqual(await texts(), ['by form', 'by parts'])
})

test('an unknown, a renewed and a closed address name nothing', async (t) => {
  const { post, url, set } = await stageOf(t)
  assert.equal((await fetch(`${url}/webhooks/nobody`, { method: 'POST', body: '{}' })).status, 404)
  await set({ kind: null })
  assert.equal((await post({ message: 'x' })).status, 404)
  await set({ kind: 'simple' })
  assert.equal((await post({ message: 'x' })).status, 404)
})

test('nothing is posted of an empty text or of one that is too long', async (t) => {
  const { post, texts } = await stageOf(t)
  for (const message of ['', '   ', 'x'.repeat(40_001), 'я'.repeat(20_001)]) {
    assert.equal((await post({ message })).status, 200)
  }
  assert.equal((await post({ other: 'no message' })).status, 200)
  assert.equal((await post({ message: 'nul \0 and half \ud800' })).status, 200)
  assert.deepEqual(await texts(), ['nul  and half \ufffd'])
})

test('a template of either kind makes the text', async (t) => {
  const { post, texts, set } = await stageOf(t)
  await set({
    template:
      '{% if ok %}{{ who | upcase }}: {% for s in steps limit:2 offset:1 reversed %}{{ s.name }} {% endfor %}{% else %}no{% endif %}{{ n | plus: 2 }} {{ at | date: "%Y-%m-%d" }}',
  })
  const steps = [{ name: 'a' }, { name: 'b' }, { name: 'c' }]
  await post({ ok: true, who: 'ann', steps, n: 3, at: '2026-05-04T09:30:00Z' })
  await set({ template: '{{user.name}} <b> {{#items}}[{{id}}]{{/items}}', template_engine: 'mustache' })
  await post({ user: { name: 'Ann & Bob' }, items: [{ id: 1 }, { id: 2 }] })
  assert.deepEqual(await texts(), ['ANN: c b 5 2026-05-04', 'Ann & Bob <b> [1][2]'])
})

test('a template sees what the body holds and nothing that objects inherit', async (t) => {
  const { post, texts, set } = await stageOf(t)
  const template =
    '{{constructor.name}}{{toString}}{{list.join}}{{a.b.constructor.name}}{{#list}}{{.}}{{a.b.c}}{{/list}}'
  await set({ template: `${template}.`, template_engine: 'mustache' })
  await post({ list: [1, 2], a: { b: { c: 'x' } } })
  assert.deepEqual(await texts(), ['1x2x.'])
})

test('a broken template says so in the chat', async (t) => {
  const { post, texts, set } = await stageOf(t)
  await set({ template: '{% if x %}' })
  await post({ x: 1 })
  await set({ template: '{{#open}}', template_engine: 'mustache' })
  await post({ open: 1 })
  const [liquid, mustache] = await texts()
  assert.match(liquid ?? '', /^Template error: tag .* not closed/)
  assert.match(mustache ?? '', /^Template error: Unclosed section/)
})

test('a hostile template harms nobody: it is stopped, and the server goes on meanwhile', async (t) => {
  const renderer = createRenderer()
  t.after(() => renderer.close())
  const items = Array.from({ length: 100 }, (_, id) => ({ id }))
  const open = '{{#items}}'.repeat(12)
  const deep = {
    engine: 'mustache' as const,
    template: `${open}x${'{{/items}}'.repeat(12)}`,
    body: { items },
  }
  const loops = {
    engine: 'liquid' as const,
    template: '{% for a in (1..1000000) %}{% for b in (1..1000000) %}x{% endfor %}{% endfor %}',
    body: {},
  }
  const fills = {
    engine: 'liquid' as const,
    template: `{% assign s = "xxxxxxxxxx" %}${'{% assign s = s | append: s %}'.repeat(40)}{{ s }}`,
    body: {},
  }
  let turns = 0
  const turning = setInterval(() => {
    turns += 1
  }, 5)
  const good = { engine: 'liquid' as const, template: 'fine {{ a }}', body: { a: 1 } }
  const results = await Promise.all([
    renderer.render({ bot_id: 1, creator_id: 1 }, deep),
    renderer.render({ bot_id: 1, creator_id: 1 }, loops),
    renderer.render({ bot_id: 1, creator_id: 1 }, fills),
    renderer.render({ bot_id: 2, creator_id: 2 }, good),
  ])
  clearInterval(turning)
  assert.deepEqual(results[3], { text: 'fine 1' })
  for (const result of results.slice(0, 3)) assert.ok('error' in result)
  assert.ok(turns > 20, 'the event loop kept turning')
})

test('slow templates of one creator hold up nobody else, and get less time the next time', async (t) => {
  const renderer = createRenderer()
  t.after(() => renderer.close())
  const items = Array.from({ length: 100 }, (_, id) => ({ id }))
  const template = `${'{{#items}}'.repeat(12)}x${'{{/items}}'.repeat(12)}`
  const slow = { engine: 'mustache' as const, template, body: { items } }
  const good = { engine: 'liquid' as const, template: 'fine', body: {} }
  await renderer.render({ bot_id: 99, creator_id: 2 }, good)
  const began = performance.now()
  const ended: number[] = []
  const slows = Array.from({ length: 6 }, async (_, bot_id) => {
    await renderer.render({ bot_id: bot_id % 3, creator_id: 1 }, slow)
    ended.push(performance.now())
  })
  assert.deepEqual(await renderer.render({ bot_id: 99, creator_id: 2 }, good), { text: 'fine' })
  assert.equal(ended.length, 0)
  await Promise.all(slows)
  const [first = 0, second = 0] = [ended[2]! - began, ended[5]! - ended[2]!]
  assert.ok(second < first, `the second time of each bot is short: ${first} ms, then ${second} ms`)
})

test('a challenge is answered and posts nothing', async (t) => {
  const { post, texts, set, alice, bot } = await stageOf(t)
  await set({ challenge_key: 'challenge' })
  const answer = await post({ challenge: 'abc', message: 'not this' })
  assert.equal(answer.status, 200)
  assert.deepEqual(await answer.json(), { challenge: 'abc' })
  await post({ message: 'this' })
  assert.deepEqual(await texts(), ['this'])
  const { data } = await alice.call(getBot, { params: { id: bot.id } })
  assert.deepEqual(data.webhook.last_request, { message: 'this' })
  assert.ok(data.webhook.last_request_at)
  assert.ok(data.last_used_at)
})

test('ten calls a second, and the eleventh waits', async (t) => {
  const { post, clock } = await stageOf(t, { limits: true })
  clock.freeze(true)
  for (let call = 0; call < 10; call += 1) assert.equal((await post({ message: '' })).status, 200)
  const over = await post({ message: '' })
  assert.equal(over.status, 429)
  assert.equal(await over.text(), 'Too Many Requests')
  assert.equal(over.headers.get('retry-after'), '1')
})

const project = { path_with_namespace: 'team/api', web_url: 'https://git.example.org/team/api' }

test('events of a repository become text; kinds that are not told are taken and left', async (t) => {
  const { post, texts, set } = await stageOf(t)
  await set({ kind: 'gitlab', template: 'unused' })
  const request = {
    object_kind: 'merge_request',
    user: { name: 'Ann' },
    project,
    object_attributes: { action: 'merge', title: 'Fix it', url: 'https://git.example.org/mr/1' },
  }
  await post(request, { 'X-Gitlab-Event': 'Merge Request Hook' })
  await post({ ...request, object_kind: 'wiki_page' }, { 'X-Gitlab-Event': 'Wiki Page Hook' })
  assert.deepEqual(await texts(), [
    '**team/api** Ann merged merge request [Fix it](https://git.example.org/mr/1)',
  ])
})

test('a push lists up to five commits, a pipeline its state, a comment its text', () => {
  const commits = Array.from({ length: 7 }, (_, index) => ({
    title: `Commit ${index}`,
    url: `https://git.example.org/c/${index}`,
    author: { name: 'Ann' },
  }))
  const push = {
    object_kind: 'push',
    user_name: 'Ann',
    ref: 'refs/heads/main',
    project,
    commits,
    total_commits_count: 7,
  }
  const lines = gitlabText(push, undefined)?.split('\n') ?? []
  assert.equal(
    lines[0],
    '**team/api** Ann pushed 7 commits to [main](https://git.example.org/team/api/-/tree/main)',
  )
  assert.equal(lines.length, 6)
  assert.equal(lines[1], '- [Commit 0](https://git.example.org/c/0) (Ann)')
  const pipeline = {
    object_kind: 'pipeline',
    project,
    user: { name: 'Ann' },
    object_attributes: { id: 7, ref: 'main', status: 'failed' },
  }
  assert.equal(
    gitlabText(pipeline, 'Pipeline Hook'),
    '**team/api** Ann pipeline [#7 main](https://git.example.org/team/api/-/pipelines/7): failed',
  )
  const note = {
    object_kind: 'note',
    project,
    user: { name: 'Ann' },
    object_attributes: { note: 'Why?', url: 'https://git.example.org/n/1' },
    merge_request: { title: 'Fix it' },
  }
  assert.equal(
    gitlabText(note, undefined),
    '**team/api** Ann commented on [Fix it](https://git.example.org/n/1)\nWhy?',
  )
  assert.equal(gitlabText({ object_kind: 'constructor' }, undefined), undefined)
  assert.equal(
    gitlabText({ object_kind: 'push', commits: 'no list', project: null }, undefined)?.includes('0 commits'),
    true,
  )
})

test('alerts become text with their labels, values, panel and picture', () => {
  const text = grafanaText({
    status: 'firing',
    title: 'CPU high',
    message: 'Look at it',
    alerts: [
      {
        labels: { host: 'a' },
        values: { B: 97 },
        panelURL: 'https://graphs.example.org/p/1',
        imageURL: 'https://graphs.example.org/i.png',
      },
      { labels: { host: 'b' } },
    ],
  })
  assert.equal(
    text,
    [
      '**[firing] CPU high**',
      'Look at it',
      '- host=a (B=97)',
      'https://graphs.example.org/i.png',
      '- host=b',
      'https://graphs.example.org/p/1',
    ].join('\n'),
  )
  assert.equal(grafanaText({ hello: 1 }), undefined)
})
