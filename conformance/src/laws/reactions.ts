import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import { laws } from '../law.js'
import { walkPages } from '../pages.js'

const THUMB = '👍'

export const reactionLaws = laws('Reactions', [
  {
    id: 'REACT-001',
    rule: 'A reaction is answered bare, with its author and a name, and is listed.',
    operations: [api.addReaction, api.listReactions],
    async run(lab) {
      const { id } = await lab.say()
      const made = await lab.owner.call(api.addReaction, { params: { id }, body: { code: THUMB } })
      assert.deepEqual([made.code, made.user_id], [THUMB, lab.owner.id])
      const { data } = await lab.owner.call(api.listReactions, { params: { id } })
      assert.deepEqual(data, [made])
    },
  },
  {
    id: 'REACT-002',
    rule: 'The same reaction of the same person is there once.',
    operations: [api.addReaction, api.listReactions],
    async run(lab) {
      const { id } = await lab.say()
      for (let count = 0; count < 2; count += 1)
        await lab.owner.call(api.addReaction, { params: { id }, body: { code: THUMB } })
      const { data } = await lab.owner.call(api.listReactions, { params: { id } })
      assert.equal(data.length, 1)
    },
  },
  {
    id: 'REACT-003',
    rule: 'A removed reaction is gone; what is not there, and what is of somebody else, is 404.',
    operations: [api.removeReaction, api.listReactions],
    async run(lab) {
      const { id } = await lab.say()
      await lab.owner.call(api.addReaction, { params: { id }, body: { code: THUMB } })
      const remove = { params: { id }, query: { code: THUMB } }
      await (await lab.helper()).refused(api.removeReaction, remove, { status: 404 })
      await lab.owner.call(api.removeReaction, remove)
      const { data } = await lab.owner.call(api.listReactions, { params: { id } })
      assert.deepEqual(data, [])
      await lab.owner.refused(api.removeReaction, remove, { status: 404 })
    },
  },
  {
    id: 'REACT-004',
    rule: 'A text that is no emoji is refused with 422 invalid, key code.',
    operations: [api.addReaction],
    async run(lab) {
      const { id } = await lab.say()
      const refusal = { status: 422, code: 'invalid', key: 'code' }
      await lab.owner.refused(api.addReaction, { params: { id }, body: { code: ':+1:' } }, refusal)
    },
  },
  {
    id: 'REACT-005',
    rule: 'One person has at most 20 different reactions on a message: 422 user_limit.',
    operations: [api.addReaction],
    async run(lab) {
      const { id } = await lab.say()
      const codes = [...'😀😁😂😃😄😅😆😇😈😉😊😋😌😍😎😏😐😑😒😓😔']
      for (const code of codes.slice(0, 20))
        await lab.owner.call(api.addReaction, { params: { id }, body: { code } })
      const more = { params: { id }, body: { code: codes[20] } }
      await lab.owner.refused(api.addReaction, more, { status: 422, code: 'user_limit' })
    },
  },
  {
    id: 'REACT-006',
    rule: 'Reactions are listed oldest first, by pages.',
    operations: [api.listReactions],
    async run(lab) {
      const { id } = await lab.say()
      const expected = [...'😀😁😂😃😄']
      for (const code of expected) await lab.owner.call(api.addReaction, { params: { id }, body: { code } })
      const idOf = ({ code }: { code: string }) => code
      await walkPages(lab.owner, {
        operation: api.listReactions,
        params: { id },
        expected,
        idOf: idOf as never,
      })
    },
  },
  {
    id: 'REACT-007',
    rule: 'A deleted message has no reactions and takes none: 404 message_deleted.',
    operations: [api.addReaction, api.listReactions],
    async run(lab) {
      const { id } = await lab.say()
      await lab.owner.call(api.addReaction, { params: { id }, body: { code: THUMB } })
      await lab.owner.call(api.deleteMessage, { params: { id } })
      const { data } = await lab.owner.call(api.listReactions, { params: { id } })
      assert.deepEqual(data, [])
      const again = { params: { id }, body: { code: THUMB } }
      await lab.owner.refused(api.addReaction, again, { status: 404, code: 'message_deleted' })
    },
  },
  {
    id: 'REACT-008',
    rule: 'Whoever cannot read a message cannot react to it.',
    operations: [api.addReaction, api.getMessage],
    async run(lab) {
      const { id } = await lab.say()
      const stranger = await lab.stranger()
      await stranger.refused(api.getMessage, { params: { id } }, { status: 403 })
      await stranger.refused(api.addReaction, { params: { id }, body: { code: THUMB } }, { status: 403 })
    },
  },
])

export const pinLaws = laws('Messages', [
  {
    id: 'PIN-001',
    rule: 'A message is pinned once: 409 already_exists; unpinning answers 204 whether it was pinned or not.',
    operations: [api.pinMessage, api.unpinMessage],
    async run(lab) {
      const { id } = await lab.say()
      await lab.owner.call(api.pinMessage, { params: { id } })
      await lab.owner.refused(api.pinMessage, { params: { id } }, { status: 409, code: 'already_exists' })
      await lab.owner.call(api.unpinMessage, { params: { id } })
      await lab.owner.call(api.unpinMessage, { params: { id } })
    },
  },
  {
    id: 'PIN-002',
    rule: 'A deleted message cannot be pinned: 422 message_deleted.',
    operations: [api.pinMessage],
    async run(lab) {
      const { id } = await lab.say()
      await lab.owner.call(api.deleteMessage, { params: { id } })
      await lab.owner.refused(api.pinMessage, { params: { id } }, { status: 422, code: 'message_deleted' })
    },
  },
  {
    id: 'PIN-003',
    level: 'additions',
    rule: 'Pins of a chat are listed, and end with the pin and with the message.',
    operations: [api.listPins, api.pinMessage, api.unpinMessage],
    async run(lab) {
      const chat = await lab.newChat()
      const [one, other] = [await lab.say({ entity_id: chat.id }), await lab.say({ entity_id: chat.id })]
      for (const { id } of [one, other]) await lab.owner.call(api.pinMessage, { params: { id } })
      const pins = async () =>
        (await lab.owner.call(api.listPins, { params: { id: chat.id } })).data.map(({ id }) => id).sort()
      assert.deepEqual(await pins(), [one.id, other.id].sort())
      await lab.owner.call(api.unpinMessage, { params: { id: one.id } })
      await lab.owner.call(api.deleteMessage, { params: { id: other.id } })
      assert.deepEqual(await pins(), [])
    },
  },
])
