import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeView, listViews, openView } from '@parley/contract'
import type { ApiFailure } from '@parley/sdk/contract'
import { formOf, NAME_FIELD, openForm, press, type Stage, setBot, stage } from './testing-stage.js'

const choices = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ text: `T${index}`, value: `v${index}` }))

test('a form opens for whoever pressed, and for nobody else', async (t) => {
  const scene = await stage(t)
  const { status, body } = await scene.bot.send(openView, formOf(await press(scene), [NAME_FIELD]))
  assert.equal(status, 201)
  assert.equal(body, undefined)
  const { data } = await scene.bob.call(listViews)
  assert.equal(data.length, 1)
  const { id, opened_at, expires_at, ...view } = data[0] as (typeof data)[number]
  assert.match(id, /^[0-9A-HJKMNP-TV-Z]{26}$/)
  assert.equal(Date.parse(expires_at) - Date.parse(opened_at), 24 * 3_600_000)
  assert.deepEqual(view, {
    bot_id: scene.bot.id,
    chat_id: scene.office.id,
    title: 'Leave',
    close_text: 'Cancel',
    submit_text: 'Submit',
    blocks: [NAME_FIELD],
  })
  const mia = await scene.as(scene.mia.id, { session: true })
  assert.deepEqual((await mia.call(listViews)).data, [])
  const opened = (await scene.events()).filter(({ type }) => type === 'view.opened')
  assert.deepEqual(opened, [
    { type: 'view.opened', chat_id: null, payload: { view_id: id, user_id: scene.bob.id } },
  ])
})

test('what the bot keeps with a form is not shown to the person', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene, [NAME_FIELD], { private_metadata: 'secret', callback_id: 'leave' })
  assert.ok(!JSON.stringify(view).includes('secret'))
})

test('a trigger opens one form, within three seconds of the bot being told, for the bot it was given to', async (t) => {
  const scene = await stage(t)
  const open = (trigger: string) => scene.bot.call(openView, formOf(trigger, [NAME_FIELD]))
  const unknown = { status: 410, code: 'trigger_not_found' }
  await assert.rejects(open('0f9f8a52-3a0c-4f5b-9a55-0d7f0b8c1e11'), unknown)
  await assert.rejects(open('nothing'), unknown)

  const used = await press(scene)
  await open(used)
  await assert.rejects(open(used), unknown)

  const other = await scene.person({ role: 'bot', nickname: 'other_bot' })
  const foreign = other.call(openView, formOf(await press(scene), [NAME_FIELD]))
  await assert.rejects(foreign, unknown)
  await assert.rejects(scene.alice.call(openView, formOf(await press(scene), [NAME_FIELD])), {
    status: 403,
    code: 'not_authorized',
  })

  const late = await press(scene)
  await scene.server.bodies('button', 4)
  scene.clock.advance(34_000)
  await assert.rejects(open(late), { status: 410, code: 'trigger_expired' })
})

test('the three seconds begin when the press is handed to the bot', async (t) => {
  const scene = await stage(t)
  const trigger = await press(scene)
  await scene.server.bodies('button')
  await toldAt(scene, trigger)
  scene.clock.advance(3000)
  await scene.bot.call(openView, formOf(trigger, [NAME_FIELD]))
  const late = await press(scene)
  await toldAt(scene, late)
  scene.clock.advance(3001)
  await assert.rejects(scene.bot.call(openView, formOf(late, [NAME_FIELD])), { code: 'trigger_expired' })
})

/** Waits until the delivery to the bot is in the log. */
async function toldAt({ ctx }: Stage, trigger: string) {
  for (;;) {
    const { told_at } = await ctx.db
      .selectFrom('triggers')
      .select('told_at')
      .where('id', '=', trigger)
      .executeTakeFirstOrThrow()
    if (told_at) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('for a bot that polls they begin when the press is queued', async (t) => {
  const scene = await stage(t)
  await setBot(scene, { outgoing_url: '', events_history_enabled: true })
  const trigger = await press(scene)
  scene.clock.advance(3001)
  await assert.rejects(scene.bot.call(openView, formOf(trigger, [NAME_FIELD])), { code: 'trigger_expired' })
})

test('every block is taken, and a time loses its seconds', async (t) => {
  const scene = await stage(t)
  const blocks = [
    { type: 'header', text: 'x'.repeat(150) },
    { type: 'plain_text', text: 'x'.repeat(12_000) },
    { type: 'markdown', text: '**b**' },
    { type: 'divider' },
    {
      ...NAME_FIELD,
      placeholder: 'p',
      multiline: true,
      initial_value: 'i',
      min_length: 1,
      max_length: 9,
      required: true,
      hint: 'h',
    },
    {
      type: 'select',
      name: 's',
      label: 'S',
      options: [...choices(99), { text: 't', value: 'w', selected: true }],
    },
    {
      type: 'radio',
      name: 'r',
      label: 'R',
      options: [{ text: 'a', value: 'a', description: 'd', checked: true }],
    },
    {
      type: 'checkbox',
      name: 'c',
      label: 'C',
      options: choices(20).map((option) => ({ ...option, checked: true })),
    },
    { type: 'date', name: 'd', label: 'D', initial_date: '2024-02-29' },
    { type: 'time', name: 't', label: 'T', initial_time: '23:59:58' },
    { type: 'file_input', name: 'f', label: 'F', filetypes: ['.png', 'image/png'], max_files: 2 },
  ]
  const view = await openForm(scene, blocks)
  assert.deepEqual(view.blocks, [
    ...blocks.slice(0, 9),
    { type: 'time', name: 't', label: 'T', initial_time: '23:59' },
    ...blocks.slice(10),
  ])
})

const input = (more: object) => [{ ...NAME_FIELD, ...more }]
const select = (options: unknown) => [{ type: 'select', name: 's', label: 'S', options }]

/** A form, and where it is at fault. */
const FAULTY: [blocks: object[], key: string, code: string][] = [
  [[], 'view.blocks', 'blank'],
  [Array.from({ length: 101 }, () => ({ type: 'divider' })), 'view.blocks', 'too_long'],
  [[{ type: 'header' }], 'view.blocks.0.text', 'blank'],
  [[{ type: 'header', text: ' ' }], 'view.blocks.0.text', 'blank'],
  [[{ type: 'header', text: 'x'.repeat(151) }], 'view.blocks.0.text', 'too_long'],
  [[{ type: 'markdown', text: 'x'.repeat(12_001) }], 'view.blocks.0.text', 'too_long'],
  [[{ type: 'divider' }, { type: 'picture' }], 'view.blocks.1.type', 'invalid'],
  [[{ text: 'x' }], 'view.blocks.0.type', 'invalid'],
  [['x' as unknown as object], 'view.blocks.0.type', 'invalid'],
  [[{ type: 'input', name: 'a' }], 'view.blocks.0.label', 'blank'],
  [[{ type: 'input', label: 'a' }], 'view.blocks.0.name', 'blank'],
  [input({ name: '' }), 'view.blocks.0.name', 'blank'],
  [input({ name: 'x'.repeat(256) }), 'view.blocks.0.name', 'too_long'],
  [input({ label: 'x'.repeat(151) }), 'view.blocks.0.label', 'too_long'],
  [input({ label: 7 }), 'view.blocks.0.label', 'invalid'],
  [input({ placeholder: 'x'.repeat(151) }), 'view.blocks.0.placeholder', 'too_long'],
  [input({ initial_value: 'x'.repeat(3001) }), 'view.blocks.0.initial_value', 'too_long'],
  [input({ hint: 'x'.repeat(2001) }), 'view.blocks.0.hint', 'too_long'],
  [input({ min_length: -1 }), 'view.blocks.0.min_length', 'invalid'],
  [input({ max_length: 0 }), 'view.blocks.0.max_length', 'invalid'],
  [input({ max_length: 3001 }), 'view.blocks.0.max_length', 'invalid'],
  [input({ min_length: 5, max_length: 4 }), 'view.blocks.0.min_length', 'invalid'],
  [input({ required: 'yes' }), 'view.blocks.0.required', 'invalid'],
  [[NAME_FIELD, { type: 'divider' }, NAME_FIELD], 'view.blocks.2.name', 'taken'],
  [select(undefined), 'view.blocks.0.options', 'blank'],
  [select([]), 'view.blocks.0.options', 'blank'],
  [select(choices(101)), 'view.blocks.0.options', 'too_long'],
  [select([{ text: 'x'.repeat(76), value: 'v' }]), 'view.blocks.0.options.0.text', 'too_long'],
  [select([{ text: 'x', value: 'v'.repeat(256) }]), 'view.blocks.0.options.0.value', 'too_long'],
  [select([{ text: 'x' }]), 'view.blocks.0.options.0.value', 'blank'],
  [select([{ text: 'x', value: '' }]), 'view.blocks.0.options.0.value', 'blank'],
  [select([...choices(2), { text: 'x', value: 'v1' }]), 'view.blocks.0.options.2.value', 'taken'],
  [select(choices(2).map((option) => ({ ...option, selected: true }))), 'view.blocks.0.options', 'invalid'],
  [[{ type: 'radio', name: 'r', label: 'R', options: choices(21) }], 'view.blocks.0.options', 'too_long'],
  [
    [{ type: 'radio', name: 'r', label: 'R', options: choices(2).map((one) => ({ ...one, checked: true })) }],
    'view.blocks.0.options',
    'invalid',
  ],
  [
    [
      {
        type: 'radio',
        name: 'r',
        label: 'R',
        options: [{ text: 'a', value: 'a', description: 'x'.repeat(76) }],
      },
    ],
    'view.blocks.0.options.0.description',
    'too_long',
  ],
  [[{ type: 'checkbox', name: 'c', label: 'C', options: choices(21) }], 'view.blocks.0.options', 'too_long'],
  [
    [{ type: 'date', name: 'd', label: 'D', initial_date: '2023-02-29' }],
    'view.blocks.0.initial_date',
    'invalid',
  ],
  [
    [{ type: 'date', name: 'd', label: 'D', initial_date: '1.2.2023' }],
    'view.blocks.0.initial_date',
    'invalid',
  ],
  [[{ type: 'time', name: 't', label: 'T', initial_time: '24:00' }], 'view.blocks.0.initial_time', 'invalid'],
  [[{ type: 'file_input', name: 'f', label: 'F', max_files: 11 }], 'view.blocks.0.max_files', 'invalid'],
  [
    [{ type: 'file_input', name: 'f', label: 'F', filetypes: ['a', ''] }],
    'view.blocks.0.filetypes.1',
    'blank',
  ],
]

/** The faults that the server reported, as `key code`. */
async function faultsOf(call: Promise<unknown>): Promise<string[]> {
  try {
    await call
    return []
  } catch (error) {
    const { status, errors } = error as ApiFailure
    return [String(status), ...errors.map(({ key, code }) => `${key} ${code}`)]
  }
}

test('a form with a fault is refused by the path of the fault, and the trigger stays good', async (t) => {
  const scene = await stage(t)
  const trigger = await press(scene)
  for (const [blocks, key, code] of FAULTY)
    assert.deepEqual(await faultsOf(scene.bot.call(openView, formOf(trigger, blocks))), [
      '422',
      `${key} ${code}`,
    ])
  await scene.bot.call(openView, formOf(trigger, [NAME_FIELD]))
})

test('the frame of a form has limits too', async (t) => {
  const scene = await stage(t)
  const trigger = '0f9f8a52-3a0c-4f5b-9a55-0d7f0b8c1e11'
  const blocks = [NAME_FIELD]
  const odd: [object, string][] = [
    [{ view: { blocks } }, 'view.title blank'],
    [{ view: { title: '', blocks } }, 'view.title blank'],
    [{ view: { title: 'x'.repeat(25), blocks } }, 'view.title too_long'],
    [{ view: { title: 'x', close_text: 'x'.repeat(25), blocks } }, 'view.close_text too_long'],
    [{ view: { title: 'x', submit_text: 'x'.repeat(25), blocks } }, 'view.submit_text too_long'],
    [{ view: { title: 'x' } }, 'view.blocks blank'],
    [{ view: undefined }, 'view blank'],
    [{ type: undefined }, 'type blank'],
    [{ type: 'page' }, 'type invalid'],
    [{ trigger_id: undefined }, 'trigger_id blank'],
    [{ trigger_id: '' }, 'trigger_id blank'],
    [{ private_metadata: 'x'.repeat(3001) }, 'private_metadata too_long'],
    [{ callback_id: 'x'.repeat(256) }, 'callback_id too_long'],
  ]
  for (const [more, fault] of odd)
    assert.deepEqual(await faultsOf(scene.bot.call(openView, formOf(trigger, blocks, more))), ['422', fault])
})

test('several faults are told together', async (t) => {
  const scene = await stage(t)
  const blocks = [{ type: 'header', text: '' }, { ...NAME_FIELD, label: '' }, NAME_FIELD]
  assert.deepEqual(await faultsOf(scene.bot.call(openView, formOf('x', blocks))), [
    '422',
    'view.blocks.0.text blank',
    'view.blocks.1.label blank',
    'view.blocks.2.name taken',
  ])
})

test('a form is closed by its person alone, once, and no bot hears of it', async (t) => {
  const scene = await stage(t)
  const view = await openForm(scene)
  const call = { params: { id: view.id } }
  const mia = await scene.as(scene.mia.id, { session: true })
  const gone = { status: 404, code: 'view_not_found' }
  await assert.rejects(mia.call(closeView, call), gone)
  await assert.rejects(scene.alice.call(closeView, call), gone)
  await assert.rejects(scene.bot.call(closeView, call), { status: 403, code: 'not_authorized' })
  await scene.bob.call(closeView, call)
  assert.deepEqual((await scene.bob.call(listViews)).data, [])
  await assert.rejects(scene.bob.call(closeView, call), gone)
  await scene.drain()
  assert.equal(scene.server.requests.length, 1)
})

test('a form that is a day old is shown no more, and then forgotten', async (t) => {
  const scene = await stage(t)
  await openForm(scene)
  scene.clock.advance(24 * 3_600_000)
  assert.deepEqual((await scene.bob.call(listViews)).data, [])
  scene.clock.advance(25 * 3_600_000)
  await scene.drain()
  for (const table of ['views', 'triggers'] as const)
    assert.deepEqual(await scene.ctx.db.selectFrom(table).selectAll().execute(), [])
})
