import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatMoment, formatTime, formatTimeIn } from './format.js'
import { region, setLocale } from './i18n.js'

test('the day begins at 00:00', () => {
  assert.equal(formatTime('2030-03-05T00:05'), '00:05')
  assert.equal(formatTimeIn('UTC', new Date('2030-03-05T00:05Z')), '00:05')
})

test('a moment of another year names the year', () => {
  const now = new Date('2030-03-05T12:00')
  assert.match(formatMoment('2030-03-05T09:30', now), /^09:30$/)
  assert.match(formatMoment('2030-03-04T09:30', now), /^yesterday, 09:30$/)
  assert.doesNotMatch(formatMoment('2030-02-01T09:30', now), /2030/)
  assert.match(formatMoment('2028-02-01T09:30', now), /2028/)
})

test('a moment of another day is told in the language of the reader', async (t) => {
  const page = globalThis as { document?: unknown }
  page.document = { documentElement: {} }
  t.after(() => delete page.document)
  const now = new Date('2030-03-05T12:00')
  await setLocale('ru')
  assert.equal(formatMoment('2030-03-04T09:30', now), 'вчера, 09:30')
  assert.match(formatMoment('2030-02-01T09:30', now), /^1 февр\., 09:30$/)
  await setLocale('en')
  assert.equal(formatMoment('2030-03-04T09:30', now), 'yesterday, 09:30')
})

test('a language that only the browser understands is left out', () => {
  assert.equal(region(['ru-RU', 'en-GB', 'en-US']), 'en-GB')
  assert.equal(region(['en-US@posix']), 'en')
  assert.equal(region(['en-US@posix', 'en-AU']), 'en-AU')
  assert.equal(region(['de-DE']), 'en')
})
