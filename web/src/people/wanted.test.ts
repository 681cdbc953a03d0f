import assert from 'node:assert/strict'
import { test } from 'node:test'
import { person } from '../testing/shapes.js'
import { createScene } from '../testing/simulated/scene.js'

const ME = 9

test('whoever is named and not known is asked for, once and with the others', async () => {
  const { clock, server, browser } = createScene(1, ME)
  const asked: string[] = []
  server.answers.set('listPeople', ({ query }) => {
    asked.push(query.getAll('ids[]').join())
    return {
      data: [person(2, 'Mira'), person(3, 'Lena')],
      meta: { paginate: { has_next: false, next_page: '' } },
    }
  })
  const { client } = browser.open()
  await clock.pass(1000)
  const name = (id: number) => client.personAt(id).name
  // Nobody has the id 4.
  for (const id of [2, 3, 4, 2, ME, 0]) name(id)
  await clock.pass(1000)
  assert.deepEqual(asked, ['2,3,4'])
  assert.deepEqual([name(2), name(3), name(4)], ['Mira', 'Lena', '…'])
  await clock.pass(1000)
  assert.equal(asked.length, 1)
  // It may have been seen by nobody then.
  await clock.pass(60_000)
  name(4)
  await clock.pass(1000)
  assert.deepEqual(asked, ['2,3,4', '4'])
})

test('who could not be read is asked for again by whoever names them later', async () => {
  const { clock, server, browser } = createScene(1, ME)
  const { client } = browser.open()
  await clock.pass(1000)
  client.personAt(2)
  await clock.pass(1000)
  server.answers.set('listPeople', () => ({ data: [person(2, 'Mira')], meta: {} }))
  client.personAt(2)
  await clock.pass(1000)
  assert.equal(client.personAt(2).name, 'Mira')
})
