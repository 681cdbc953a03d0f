import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canBeSpelled, linkTargetOf } from './links.js'

test('addresses of the old host lead to messages and chats by their ids there', () => {
  const of = (source: Parameters<typeof linkTargetOf>[0], url: string) => {
    const target = linkTargetOf(source, url)
    return target && [target.chat, target.message]
  }
  const slack = 'https://acme.slack.com/archives/C1'
  assert.deepEqual(of('slack', `${slack}/p1600000001000100`), ['C1', 'C1:1600000001.000100'])
  assert.deepEqual(of('slack', `${slack}/p1600000001000100?thread_ts=1600000000.000100&cid=C1`), [
    'C1',
    'C1:1600000001.000100',
  ])
  assert.deepEqual(of('slack', slack), ['C1', null])
  assert.equal(of('slack', 'https://acme.slack.com.example.org/archives/C1'), null)
  assert.equal(of('slack', `${slack}/p16`), null)

  const zulip = 'https://chat.example.org/#narrow/channel/12-general.20chat'
  assert.deepEqual(of('zulip', `${zulip}/topic/lunch.20plans/near/345`), ['stream/12', '345'])
  assert.deepEqual(of('zulip', zulip), ['stream/12', null])
  assert.equal(of('zulip', 'https://chat.example.org/#narrow/dm/8,9-dm/near/345'), null)

  const rocket = 'https://chat.example.org/channel/general?msg=abcdefghij0123456'
  assert.deepEqual(of('rocketchat', rocket), [null, 'abcdefghij0123456'])
  assert.equal(of('rocketchat', 'https://chat.example.org/channel/general'), null)
  const mattermost = 'https://chat.example.org/acme'
  assert.deepEqual(of('mattermost', `${mattermost}/channels/town-square`), ['acme/town-square', null])
  assert.deepEqual(of('mattermost', `${mattermost}/pl/abcdefghijklmnopqrstuvwxyz`), [
    null,
    'pl/abcdefghijklmnopqrstuvwxyz',
  ])
  assert.equal(of('mattermost', 'https://chat.example.org/acme/messages/@ann'), null)
})

test('a number alone does not make a chat of another host ours', () => {
  assert.ok(canBeSpelled('general chat', 'general.20chat'))
  assert.ok(canBeSpelled('old: général', 'g.C3.A9n.C3.A9ral'))
  assert.ok(!canBeSpelled('garden', 'general.20chat'))
})
