import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transaction } from '../platform/db/transaction.js'
import { upload } from '../testing/upload.js'
import { world } from '../testing/world.js'
import { writeMessage } from '../testing/write-message.js'
import { attachFiles, checkFiles, type FileInput, replaceFiles } from './attach.js'
import { loadFiles } from './present.js'
import { actorOf, setUp } from './testing-files.js'

test('files that may not be attached are refused, each with its code', async (t) => {
  const stage = await world(t)
  const { ctx, alice, bob } = stage
  const key = await upload(alice, 'a.TXT')
  const unnamed = key.replace('a.TXT', '${filename}')
  const absent = key.replace('a.TXT', 'b.txt')
  const foreign = await upload(bob, 'a.txt')
  const voice = { key, name: 'a.txt', file_type: 'voice' as const }
  const cases: [FileInput[], string, string][] = [
    [[{ key: foreign, name: 'a.txt' }], 'files.0.key', 'wrong_params'],
    [[{ key: 'elsewhere/a.txt', name: 'a.txt' }], 'files.0.key', 'wrong_params'],
    [[{ key: `attaches/files/${alice.id}/../a.txt`, name: 'a.txt' }], 'files.0.key', 'wrong_params'],
    [
      [
        { key, name: 'a.txt' },
        { key: absent, name: 'b.txt' },
      ],
      'files.1.key',
      'not_found',
    ],
    [[{ key: unnamed, name: 'a.txt' }], 'files.0.key', 'wrong_params'],
    [[{ key: unnamed, name: 'a' }], 'files.0.key', 'not_found'],
    [[{ key, name: 'a.pdf' }], 'files.0.name', 'wrong_params'],
    [[{ key, name: 'a' }], 'files.0.name', 'wrong_params'],
    [[{ key, name: ' ' }], 'files.0.name', 'blank'],
    ...['a/b.txt', '..\\b.txt', 'a\nb.txt'].map((name): [FileInput[], string, string] => [
      [{ key, name }],
      'files.0.name',
      'wrong_params',
    ]),
    [[{ key, name: 'a.txt', size: -1 }], 'files.0.size', 'invalid'],
    [[{ ...voice, waveform: 'x' }], 'files.0.duration_ms', 'blank'],
    [[{ ...voice, duration_ms: 5 }], 'files.0.waveform', 'blank'],
    [[{ ...voice, duration_ms: 1_800_001, waveform: 'x' }], 'files.0.duration_ms', 'invalid'],
    [[{ key, name: 'a.txt', file_type: 'video', duration_ms: 2 ** 31 }], 'files.0.duration_ms', 'invalid'],
    [
      [
        { ...voice, duration_ms: 5, waveform: 'x' },
        { key, name: 'a.txt' },
      ],
      'files',
      'wrong_params',
    ],
    [Array.from({ length: 11 }, () => ({ key, name: 'a.txt' })), 'files', 'too_long'],
  ]
  for (const [inputs, at, code] of cases) {
    const refused = checkFiles(ctx, actorOf(alice), inputs)
    await assert.rejects(refused, (error: { status: number; errors: { key: string; code: string }[] }) => {
      assert.equal(error.status, 422)
      assert.deepEqual([error.errors[0]?.key, error.errors[0]?.code], [at, code])
      return true
    })
  }
})

test('sound keeps its length, pictures the size they were sent with', async (t) => {
  const stage = await world(t)
  const { alice, office } = stage
  const { attach, filesOf } = setUp(stage)
  const key = await upload(alice, 'a.bin')
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  const more = { width: 3, height: 4, duration_ms: 5, waveform: '0,1' }
  await attach(actorOf(alice), { message_id }, [
    { key, name: 'a.bin', file_type: 'image', ...more },
    // Only a voice is bounded by half an hour.
    { key, name: 'b.bin', file_type: 'video', ...more, duration_ms: 7_200_000 },
  ])
  const voice_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  await attach(actorOf(alice), { message_id: voice_id }, [
    { key, name: 'c.bin', file_type: 'voice', ...more },
  ])

  const files = (await filesOf(message_id))?.files ?? []
  assert.deepEqual(
    files.map(({ name, width, height, duration_ms }) => ({ name, width, height, duration_ms })),
    [
      { name: 'a.bin', width: 3, height: 4, duration_ms: null },
      { name: 'b.bin', width: null, height: null, duration_ms: 7_200_000 },
    ],
  )
  assert.deepEqual((await filesOf(voice_id))?.voice_content, {
    duration_ms: 5,
    waveform: '0,1',
    transcript: null,
  })
})

test('an edit keeps the ids of files that stay and drops the others', async (t) => {
  const stage = await world(t)
  const { ctx, alice, drain, office } = stage
  const { stored } = setUp(stage)
  const actor = actorOf(alice)
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  const [one, two, three] = [
    await upload(alice, '1.txt'),
    await upload(alice, '2.txt'),
    await upload(alice, '3.txt'),
  ]
  const set = async (keys: string[]) => {
    const checked = await checkFiles(
      ctx,
      actor,
      keys.map((key) => ({ key, name: key.slice(-5) })),
    )
    return transaction(ctx, (tx) => replaceFiles(tx, ctx, actor, { message_id }, checked))
  }
  const [first, second] = await set([one, two])
  const result = await set([three, two])
  await drain()

  assert.equal(result[1]?.id, second?.id)
  assert.notEqual(result[0]?.id, first?.id)
  const shown = (await loadFiles(ctx, ctx.db, [message_id])).get(message_id)?.files.map(({ name }) => name)
  assert.deepEqual(shown, ['3.txt', '2.txt'])
  assert.equal(await stored(one), undefined)
  assert.equal((await stored(two))?.size, 5)
})

test('what is being erased can no longer be attached', async (t) => {
  const stage = await world(t)
  const { ctx, alice, office } = stage
  const key = await upload(alice, 'a.txt')
  const message_id = await writeMessage(stage, { chat_id: office.id, user_id: alice.id })
  const checked = await checkFiles(ctx, actorOf(alice), [{ key, name: 'a.txt' }])
  await ctx.db.updateTable('loose_objects').set({ claimed: true }).where('key', '=', key).execute()

  const refused = transaction(ctx, (tx) => attachFiles(tx, ctx, actorOf(alice), { message_id }, checked))
  await assert.rejects(refused, { status: 422, code: 'not_found' })
})
