import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { judge, unknownEntries } from './baseline.js'
import { EDITION } from './edition.js'
import type { Law } from './law.js'
import { LAWS } from './laws.js'
import { receiverFor, tokensOf, UsageFault } from './options.js'
import { jsonReport, summarize } from './report.js'
import { htmlReport } from './report-html.js'
import { junitReport } from './report-junit.js'
import { requirementsOf } from './requirements.js'
import type { Outcome, State } from './run.js'
import { selectLaws } from './select.js'

const law = (id: string): Law => ({
  id,
  level: 'agreed',
  area: 'Messages',
  rule: `${id} holds where a < b.`,
  operations: ['createMessage'],
  needs: [],
  run: async () => undefined,
})

const outcome = (id: string, state: State, message?: string): Outcome => ({
  law: law(id),
  state,
  message,
  duration_ms: 12,
})

const OUTCOMES = [
  outcome('A-1', 'passed'),
  outcome('A-2', 'failed', 'x <is> "y"\nmore'),
  outcome('A-3', 'failed', 'as ever'),
  outcome('A-4', 'passed'),
  outcome('A-5', 'not tested', 'a sandbox'),
]

const judged = judge(OUTCOMES, { 'A-3': 'being fixed', 'A-4': 'was broken', 'A-5': 'cannot run' })

test('new failures and known ones that pass are unexpected, known ones that fail are not', () => {
  assert.deepEqual(
    judged.map(({ verdict, unexpected }) => [verdict, unexpected]),
    [
      ['passed', false],
      ['failed', true],
      ['known failure', false],
      ['passed, though a known failure', true],
      ['not tested', false],
    ],
  )
  assert.equal(
    summarize(judged),
    '1 passed, 1 failed, 1 known failure, 1 passed, though a known failure, 1 not tested',
  )
  assert.deepEqual(unknownEntries({ 'A-1': '', 'B-1': '' }, new Set(['A-1'])), ['B-1'])
})

test('a report is JUnit, a page or JSON, and holds each law with its verdict', () => {
  const report = {
    base_url: 'https://chat.example.org/v1',
    level: 'agreed' as const,
    began_at: '2030-01-31T08:05:09.000Z',
    outcomes: judged,
    leftovers: [],
  }
  const xml = junitReport(report)
  assert.match(xml, /<testsuites name="conformance" tests="5" failures="2"/)
  assert.match(xml, /<testsuite name="Messages" tests="5" failures="2" errors="0" skipped="2"/)
  assert.match(xml, /<failure message="x &lt;is&gt; &quot;y&quot;">/)
  assert.match(xml, /<skipped message="known failure: as ever"\/>/)
  const page = htmlReport(report)
  assert.match(page, /<tr id="A-2"><td>A-2<\/td><td class="bad">failed<\/td>/)
  assert.ok(!page.includes('<is>'), 'the page holds unescaped text')
  const { edition, counts, laws } = JSON.parse(jsonReport(report))
  assert.deepEqual([edition, counts.failed, laws[1].id, laws[1].verdict], [EDITION, 1, 'A-2', 'failed'])
})

test('laws are chosen by level, area and beginning of the id', () => {
  const ids = (level: 'agreed' | 'additions', only: string[] = []) =>
    selectLaws(LAWS, level, only).map(({ id }) => id)
  assert.ok(!ids('agreed').includes('KEY-001') && ids('additions').includes('KEY-001'))
  assert.ok(ids('agreed', ['reactions']).includes('addReaction/scope'))
  assert.deepEqual(ids('agreed', ['pin-']), ['PIN-001', 'PIN-002'])
})

test('tokens have the names of their holders, and a listener an address', () => {
  const given = { url: 'http://127.0.0.1:8090/v1', level: 'agreed' as const, only: [], report: [] }
  assert.deepEqual(tokensOf({ ...given, token: ['one', 'member=two'], botToken: 'three' }), {
    token: 'one',
    member_token: 'two',
    bot_token: 'three',
  })
  assert.throws(() => tokensOf({ ...given, token: ['king=x'] }), UsageFault)
  assert.throws(() => tokensOf({ ...given, token: [] }), UsageFault)
  assert.deepEqual(receiverFor({ ...given, token: [] }), { host: '127.0.0.1', port: 0, address: undefined })
  const far = { ...given, token: [], url: 'https://chat.example.org/v1' }
  assert.equal(receiverFor(far), undefined)
  assert.equal(receiverFor({ ...far, webhookListener: '0.0.0.0:9000' })?.port, 9000)
})

test('the laws are those of their edition, each with an id of its own', async () => {
  assert.equal(new Set(LAWS.map(({ id }) => id)).size, LAWS.length)
  const file = new URL(`../requirements/${EDITION}.json`, import.meta.url)
  const kept = JSON.parse(await readFile(file, 'utf8'))
  assert.deepEqual(requirementsOf(LAWS), kept, 'run npm run print and commit conformance/requirements')
})
