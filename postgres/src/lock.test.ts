import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { lockFolder } from './lock.js'

const refused =
  /^Error: Another server \(process \d+ on .+\) is using .+: stop it, or choose another data folder\.$/

test('a folder has one holder at a time', async (t) => {
  const folder = await makeFolder(t)
  const lock = await lockFolder(folder)
  await assert.rejects(lockFolder(folder), refused)

  await lock.release()
  assert.deepEqual(await readdir(folder), [])
  await (await lockFolder(folder)).release()
})

test('a lock whose process is gone is taken over, even when its pid belongs to another by now', async (t) => {
  const folder = await makeFolder(t)
  const mine = await describeHolder(folder)

  await leaveLock(folder, { ...mine, token: 'a', started: '1' })
  await (await lockFolder(folder)).release()

  await leaveLock(folder, { ...mine, token: 'b', pid: 2 ** 22 - 1 })
  await (await lockFolder(folder)).release()

  await writeFile(join(folder, 'server.lock'), '')
  await (await lockFolder(folder)).release()
  assert.deepEqual(await readdir(folder), [])
})

test('of many that find a dead lock at once one gets the folder', async (t) => {
  const folder = await makeFolder(t)
  const dead = { ...(await describeHolder(folder)), started: '1' }
  for (let round = 0; round < 25; round++) {
    await leaveLock(folder, { ...dead, token: `dead-${round}` })
    // In odd rounds somebody has died while taking over, too.
    if (round % 2) await leaveLock(folder, { ...dead, token: `claimant-${round}` }, `dead-${round}.claim`)

    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(folder)))
    const locks = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    assert.equal(locks.length, 1)
    await locks[0]!.release()
    assert.deepEqual(await readdir(folder), [])
  }
})

test('a lock from another container counts for as long as it beats', async (t) => {
  const folder = await makeFolder(t)
  await leaveLock(folder, {
    ...(await describeHolder(folder)),
    token: 'far',
    place: 'elsewhere',
    host: 'far',
  })
  const file = join(folder, 'server.lock')

  let isAlive = true
  const beating = (async () => {
    for (let beat = Date.now() / 1000; isAlive; beat += 1) {
      await utimes(file, beat, beat)
      await delay(100)
    }
  })()
  await assert.rejects(lockFolder(folder), refused)

  isAlive = false
  await beating
  await (await lockFolder(folder)).release()
})

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-lock-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

async function describeHolder(folder: string) {
  const lock = await lockFolder(folder)
  const holder = JSON.parse(await readFile(join(folder, 'server.lock'), 'utf8'))
  await lock.release()
  return holder
}

function leaveLock(folder: string, holder: object, suffix = ''): Promise<void> {
  return writeFile(join(folder, suffix ? `server.lock.${suffix}` : 'server.lock'), JSON.stringify(holder))
}
