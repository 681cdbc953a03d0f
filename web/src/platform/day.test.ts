import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effect } from '@preact/signals'
import { followDay, today, untilMidnight } from './day.js'

test('the next day begins at its midnight, however long this one is', () => {
  for (let day = 1; day <= 366; day += 1) {
    const now = new Date(2028, 0, day, 13, 30)
    const next = new Date(now.getTime() + untilMidnight(now))
    assert.deepEqual([next.getHours(), next.getMinutes()], [0, 0])
    assert.equal(next.toDateString(), new Date(2028, 0, day + 1).toDateString())
  }
  assert.equal(untilMidnight(new Date(2028, 0, 5, 23, 59, 59, 999)), 1)
})

test('what is drawn with the day is drawn again at midnight, and after a sleep over it', (t) => {
  const page = globalThis as { document?: unknown; addEventListener?: unknown }
  const listeners = new Map<string, () => void>()
  const listen = (name: string, listener: () => void) => void listeners.set(name, listener)
  page.document = { addEventListener: listen }
  page.addEventListener = listen
  t.after(() => {
    delete page.document
    delete page.addEventListener
  })
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: new Date(2030, 2, 5, 23, 50) })
  followDay()
  const drawn: number[] = []
  t.after(effect(() => void drawn.push(today().getDate())))
  t.mock.timers.tick(10 * 60_000 - 1)
  assert.deepEqual(drawn, [5])
  t.mock.timers.tick(1)
  assert.deepEqual(drawn, [5, 6])
  t.mock.timers.setTime(new Date(2030, 2, 9, 8, 0).getTime())
  listeners.get('focus')?.()
  assert.equal(drawn.at(-1), 9)
})
