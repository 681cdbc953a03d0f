import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasKeyword, isQuiet, type Level, type NotifyFacts, shouldNotify } from './notify.js'

const NOON = Date.parse('2030-06-15T12:00:00.000Z')
const LATER = '2030-06-15T13:00:00.000Z'
const EARLIER = '2030-06-15T11:00:00.000Z'
const KINDS = ['conversation', 'channel', 'personal', 'thread'] as const
const LEVELS: Level[] = ['all', 'mentions', 'nothing']
const open = { level: null, muted_until: null }

function facts(change: Partial<NotifyFacts> = {}): NotifyFacts {
  return {
    now_ms: NOON,
    user_id: 1,
    time_zone: 'UTC',
    settings: { level: 'mentions', keywords: ['deploy'], quiet_hours: null },
    chat: { kind: 'conversation', ...open },
    parent: null,
    message: { user_id: 2, content: 'hello', mentioned: false },
    ...change,
  }
}

/** What each message does at each level, when nothing else is set. */
const MESSAGES = {
  plain: { user_id: 2, content: 'hello', mentioned: false },
  named: { user_id: 2, content: 'hello @me', mentioned: true },
  keyword: { user_id: 2, content: 'Deploy!', mentioned: false },
}
const TOLD: Record<Level, (keyof typeof MESSAGES)[]> = {
  all: ['plain', 'named', 'keyword'],
  mentions: ['named', 'keyword'],
  nothing: [],
}

test('every level tells what it says, in every kind of chat, whether set in general or for the chat', () => {
  for (const kind of KINDS)
    for (const general of LEVELS)
      for (const own of [null, ...LEVELS])
        for (const [name, message] of Object.entries(MESSAGES)) {
          const whole = (kind === 'personal' || kind === 'thread') && general !== 'nothing'
          const level = own ?? (whole ? 'all' : general)
          const settings = { level: general, keywords: ['deploy'], quiet_hours: null }
          const chat = { kind, level: own, muted_until: null }
          const expected = TOLD[level].includes(name as keyof typeof MESSAGES)
          assert.equal(
            shouldNotify(facts({ settings, chat, message })),
            expected,
            `${kind} ${general} ${own} ${name}`,
          )
        }
})

test('a mute tells nothing while it lasts, of the chat and of its threads', () => {
  const message = MESSAGES.named
  for (const kind of KINDS) {
    const chat = (muted_until: string | null) => ({ kind, level: 'all' as const, muted_until })
    assert.equal(shouldNotify(facts({ message, chat: chat(LATER) })), false)
    assert.equal(shouldNotify(facts({ message, chat: chat(EARLIER) })), true)
  }
  const thread = { kind: 'thread' as const, ...open }
  const under = (parent: NotifyFacts['parent']) => shouldNotify(facts({ message, chat: thread, parent }))
  assert.equal(under({ level: null, muted_until: LATER }), false)
  assert.equal(under({ level: 'nothing', muted_until: null }), false)
  assert.equal(under({ level: 'mentions', muted_until: EARLIER }), true)
  const followed = { ...thread, level: 'all' as const }
  assert.equal(shouldNotify(facts({ chat: followed, parent: { level: 'nothing', muted_until: null } })), true)
})

test('nobody is told of their own messages', () => {
  const message = { user_id: 1, content: 'deploy', mentioned: true }
  for (const kind of KINDS)
    assert.equal(shouldNotify(facts({ message, chat: { kind, level: 'all', muted_until: null } })), false)
})

test('quiet hours are meant in the zone of the person and may go past midnight', () => {
  const night = { from: '22:00', to: '07:00' }
  const at = (time: string) => Date.parse(`2030-06-15T${time}:00.000Z`)
  assert.equal(isQuiet(night, at('21:59'), 'UTC'), false)
  assert.equal(isQuiet(night, at('22:00'), 'UTC'), true)
  assert.equal(isQuiet(night, at('00:00'), 'UTC'), true)
  assert.equal(isQuiet(night, at('06:59'), 'UTC'), true)
  assert.equal(isQuiet(night, at('07:00'), 'UTC'), false)
  assert.equal(isQuiet(night, at('19:00'), 'Europe/Moscow'), true)
  assert.equal(isQuiet(night, at('05:00'), 'Europe/Moscow'), false)
  assert.equal(isQuiet({ from: '12:00', to: '13:00' }, at('12:30'), 'UTC'), true)
  assert.equal(isQuiet({ from: '12:00', to: '12:00' }, at('12:00'), 'UTC'), false, 'no time at all')
  const settings = { level: 'all' as const, keywords: [], quiet_hours: { from: '11:00', to: '13:00' } }
  assert.equal(shouldNotify(facts({ settings })), false)
  assert.equal(shouldNotify(facts({ settings, time_zone: 'Asia/Tokyo' })), true)
})

test('keywords are whole words in any case and any alphabet', () => {
  assert.equal(hasKeyword('The DEPLOY failed.', ['deploy']), true)
  assert.equal(hasKeyword('redeployed', ['deploy']), false)
  assert.equal(hasKeyword('deployed, then deploy', ['deploy']), true)
  assert.equal(hasKeyword('Всё, ОШИБКА: нет места', ['ошибка']), true)
  assert.equal(hasKeyword('ошибками', ['ошибка']), false)
  assert.equal(hasKeyword('see c++ here', ['c++']), true)
  assert.equal(hasKeyword('see INC-12 here', ['inc-1']), false)
  assert.equal(hasKeyword('out of memory', ['of memory']), true)
  assert.equal(hasKeyword('anything', ['', ' ']), false)
})
