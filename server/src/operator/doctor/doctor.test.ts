import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { getHealth } from '@parley/contract'
import { SMTPServer } from 'smtp-server'
import type { Config } from '../../platform/config.js'
import { startRedis } from '../../platform/rates/testing-redis.js'
import { sealingKey } from '../../platform/storage/seal.js'
import { startS3Store } from '../../testing/s3-store.js'
import { world } from '../../testing/world.js'
import { examine } from './examine.js'

/** The configuration of a running server, as its operator would have written it. */
async function running(t: TestContext) {
  const { ctx, url } = await world(t)
  const config: Config = { ...ctx.config, port: Number(new URL(url).port) }
  return { ctx, config }
}

function states(findings: Awaited<ReturnType<typeof examine>>) {
  return Object.fromEntries(findings.map(({ check, state }) => [check, state]))
}

async function startStore(t: TestContext) {
  const store = await startS3Store(t)
  const s3 = {
    s3_endpoint: store.endpoint,
    s3_bucket: store.bucket,
    s3_access_key_id: store.accessKeyId,
    s3_secret_access_key: store.secretAccessKey,
  }
  const listObjects = async () =>
    (await readdir(join(store.directory, store.bucket))).filter((name) => name !== 'doctor')
  return { s3, listObjects }
}

async function startMail(t: TestContext): Promise<string> {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((closed) => server.close(closed)))
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

test('the owner reads the findings through the API', async (t) => {
  const scene = await world(t)
  const { data } = await (await scene.as(scene.owner.id, { session: true })).call(getHealth)
  const disk = data.find(({ check }) => check === 'disk')
  assert.deepEqual([disk?.state, disk?.advice, disk?.code], ['ok', null, 'disk_free'])
  assert.equal(disk?.detail, `${disk?.values.free_gb} GB free in ${disk?.values.folder}.`)
  assert.ok(data.some(({ check }) => check === 'database'))
  const admin = await scene.as(scene.admin.id, { session: true })
  await assert.rejects(admin.call(getHealth), { status: 403 })
})

test('everything that is configured is tried, and leaves nothing behind', async (t) => {
  const { config } = await running(t)
  const { s3, listObjects } = await startStore(t)
  const redis = await startRedis(t)
  const redis_url = redis?.url ?? null
  const findings = await examine({ ...config, ...s3, smtp_url: await startMail(t), redis_url })
  const redisState = redis ? { redis: 'ok' } : {}
  assert.deepEqual(
    states(findings),
    {
      disk: 'ok',
      // The database of tests gives up durability for speed.
      database: 'warning',
      schema: 'ok',
      workspace: 'ok',
      clock: 'ok',
      ...redisState,
      files: 'ok',
      // Its bucket has no CORS rules.
      uploads: 'warning',
      mail: 'ok',
      port: 'ok',
      'public URL': 'ok',
      outbound: 'ok',
      pictures: 'ok',
    },
    JSON.stringify(findings),
  )
  assert.deepEqual(await listObjects(), [])
})

test('what is dead fails, each with a line of its own and without a secret', async (t) => {
  const { config } = await running(t)
  const findings = await examine({
    ...config,
    redis_url: 'redis://:hunter22@127.0.0.1:1',
    smtp_url: 'smtp://me:hunter22@127.0.0.1:1',
    s3_endpoint: 'http://127.0.0.1:1',
    s3_bucket: 'files',
    s3_access_key_id: 'me',
    s3_secret_access_key: 'hunter22',
    transcribe_url: 'http://127.0.0.1:1/v1/audio/transcriptions',
    transcribe_key: 'hunter22',
    public_url: 'http://127.0.0.1:1',
  })
  const failed = findings.filter(({ state }) => state === 'failed')
  assert.deepEqual(
    failed.map(({ check }) => check),
    ['redis', 'files', 'mail', 'transcription', 'public URL'],
    JSON.stringify(findings),
  )
  for (const { detail, advice } of failed) {
    assert.match(detail, /127\.0\.0\.1:1/)
    assert.match(advice ?? '', /REDIS_URL|PARLEY_/)
    assert.doesNotMatch(detail, /hunter22|\n/)
  }
})

test('another workspace on the port or behind the public address is not taken for this one', async (t) => {
  const { config } = await running(t)
  const other = createHttpServer((_, reply) => reply.setHeader('Parley-Workspace', 'other').end('ok'))
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const { port } = other.address() as AddressInfo
  const found = states(await examine({ ...config, port, public_url: `http://127.0.0.1:${port}` }))
  assert.deepEqual([found.port, found['public URL']], ['failed', 'failed'])
  const everywhere = states(await examine({ ...config, public_url: 'http://0.0.0.0:8080' }))
  assert.equal(everywhere['public URL'], 'failed')
})

test('a database that is gone, that is newer, or whose migrations were edited fails', async (t) => {
  const { ctx, config } = await running(t)
  const away = createServer().listen(0, '127.0.0.1')
  await once(away, 'listening')
  const { port } = away.address() as AddressInfo
  away.close()
  const database_url = `postgres://me:hunter22@127.0.0.1:${port}/parley`
  const gone = (await examine({ ...config, database_url })).find(({ check }) => check === 'database')
  assert.equal(gone?.state, 'failed')
  assert.match(gone?.advice ?? '', /DATABASE_URL/)
  const change = (checksum: string | null) =>
    ctx.pool.query(`update schema_migrations set checksum = $1 where name = '0042-search.sql'`, [checksum])
  await change('another')
  try {
    const schema = (await examine(config)).find(({ check }) => check === 'schema')
    assert.equal(schema?.state, 'failed')
    assert.match(schema?.detail ?? '', /0042-search\.sql with another text/)
  } finally {
    await change(null)
  }
})

test('files that were not restored with the database fail, and so does a key that is not set', async (t) => {
  const { ctx, config } = await running(t)
  const scene = await world(t)
  const { rows } = await ctx.pool.query(
    `insert into files (owner_id, key, name, file_type, size, message_id, created_at)
      values ($1, 'doctor/last', 'last', 'file', 4, 9000000000, now()) returning id`,
    [scene.owner.id],
  )
  t.after(() => ctx.pool.query('delete from files where id = $1', [rows[0].id]))
  t.after(() => ctx.storage.remove('doctor/last'))
  assert.equal(states(await examine(config))['last file'], 'failed')
  await ctx.storage.write('doctor/last', Buffer.from('text'))
  assert.equal(states(await examine(config))['last file'], 'ok')

  await ctx.pool.query(`update workspace set files_key_id = '\\x0102030405060708'`)
  t.after(() => ctx.pool.query('update workspace set files_key_id = null'))
  assert.equal(states(await examine(config)).encryption, 'failed')
  const key = Buffer.alloc(32, 7)
  assert.equal(states(await examine({ ...config, files_keys: [key] })).encryption, 'failed')
  await ctx.pool.query('update workspace set files_key_id = $1', [sealingKey(key).id])
  assert.equal(states(await examine({ ...config, files_keys: [key] })).encryption, 'ok')
})
