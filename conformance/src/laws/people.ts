import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import type { Lab } from '../lab.js'
import { laws } from '../law.js'

/** A picture of one pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

function pictureForm(content: Buffer = DOT) {
  const data = new FormData()
  data.set('image', new Blob([new Uint8Array(content)]), 'dot.png')
  return { body: data }
}

type NewUser = Partial<api.BodyOf<typeof api.createUser>['user']>

async function invite(lab: Lab, more: NewUser = {}) {
  const email = `${lab.word('person')}@example.org`
  const body = { user: { email, ...more }, skip_email_notify: true }
  const { data } = await lab.owner.call(api.createUser, { body })
  lab.after(() => lab.owner.send(api.deleteUser, { params: { id: data.id } }))
  return data
}

export const userLaws = laws('Users', [
  {
    id: 'USER-001',
    rule: 'An invited person is there with invite_status sent, is read by id, and gone when deleted.',
    operations: [api.createUser, api.getUser, api.deleteUser],
    needs: ['admin'],
    async run(lab) {
      const user = await invite(lab, { first_name: 'Ada', department: 'Mathematics' })
      assert.deepEqual(
        [user.first_name, user.department, user.invite_status, user.role, user.bot],
        ['Ada', 'Mathematics', 'sent', 'user', false],
      )
      const params = { id: user.id }
      assert.deepEqual((await lab.owner.call(api.getUser, { params })).data, user)
      await lab.owner.call(api.deleteUser, { params })
      await lab.owner.refused(api.getUser, { params }, { status: 404 })
      await lab.owner.refused(api.deleteUser, { params }, { status: 404 })
    },
  },
  {
    id: 'USER-002',
    rule: 'A mail address is of one person: 409 already_exists, key email; one that is none is 400 invalid.',
    operations: [api.createUser],
    needs: ['admin'],
    async run(lab) {
      const { email } = await invite(lab)
      const inviting = (given: string) => ({ body: { user: { email: given }, skip_email_notify: true } })
      const taken = { status: 409, code: 'already_exists', key: 'email' }
      await lab.owner.refused(api.createUser, inviting((email ?? '').toUpperCase()), taken)
      await lab.owner.refused(api.createUser, inviting('nobody'), {
        status: 400,
        code: 'invalid',
        key: 'email',
      })
    },
  },
  {
    id: 'USER-003',
    rule: 'Only the fields that are sent change; an unknown role is passed over.',
    operations: [api.updateUser],
    needs: ['admin'],
    async run(lab) {
      const { id } = await invite(lab, { first_name: 'Ada' })
      const user = { title: 'Analyst', role: 'king' as never }
      const { data } = await lab.owner.call(api.updateUser, { params: { id }, body: { user } })
      assert.deepEqual([data.title, data.first_name, data.role], ['Analyst', 'Ada', 'user'])
    },
  },
  {
    id: 'USER-004',
    rule: 'A tag that list_tags names is made, and an empty list takes all tags off.',
    operations: [api.createUser, api.updateUser, api.listGroupTags],
    needs: ['admin'],
    async run(lab) {
      const name = lab.name('worn')
      const { id, list_tags } = await invite(lab, { list_tags: [name] })
      assert.deepEqual(list_tags, [name])
      const { data } = await lab.owner.call(api.listGroupTags, { query: { names: [name] } })
      for (const tag of data) lab.after(() => lab.owner.send(api.deleteGroupTag, { params: { id: tag.id } }))
      assert.equal(data.length, 1)
      const bare = await lab.owner.call(api.updateUser, { params: { id }, body: { user: { list_tags: [] } } })
      assert.deepEqual(bare.data.list_tags, [])
    },
  },
  {
    id: 'USER-005',
    rule: 'A suspended person is still read and listed, with suspended true.',
    operations: [api.updateUser, api.getUser],
    needs: ['admin'],
    async run(lab) {
      const { id } = await invite(lab)
      await lab.owner.call(api.updateUser, { params: { id }, body: { user: { suspended: true } } })
      assert.equal((await lab.owner.call(api.getUser, { params: { id } })).data.suspended, true)
    },
  },
  {
    id: 'USER-006',
    rule: 'People are listed by id, by pages; query finds them by parts of their names and leaves out bots.',
    operations: [api.listUsers],
    async run(lab) {
      const first = await lab.owner.call(api.listUsers, { query: { limit: 1 } })
      const { next_page } = first.meta.paginate
      const second = await lab.owner.call(api.listUsers, { query: { limit: 1, cursor: next_page } })
      const ids = [...first.data, ...second.data].map(({ id }) => id)
      assert.ok(ids.length < 2 || (ids[0] as number) < (ids[1] as number), `the order is ${ids}`)
      assert.ok(first.data.length <= 1 && second.data.length <= 1, 'the limit is not kept')
      const { data } = await (await lab.helper()).call(api.getProfile)
      const found = await lab.owner.call(api.listUsers, { query: { query: data.nickname } })
      assert.ok(!found.data.some(({ id }) => id === data.id), 'a bot is found by query')
    },
  },
  {
    id: 'USER-007',
    rule: 'A status of another is set, read and removed by admins.',
    operations: [api.setUserStatus, api.getUserStatus, api.deleteUserStatus],
    needs: ['admin'],
    async run(lab) {
      const { id } = await invite(lab)
      const params = { user_id: id }
      const status = { emoji: '🚂', title: 'On the train' }
      await lab.owner.call(api.setUserStatus, { params, body: { status } })
      const read = await lab.owner.call(api.getUserStatus, { params })
      assert.equal(read?.data?.title, status.title)
      await lab.owner.call(api.deleteUserStatus, { params })
      assert.equal(await lab.owner.call(api.getUserStatus, { params }), null)
      await lab.owner.call(api.deleteUserStatus, { params })
    },
  },
  {
    id: 'USER-008',
    rule: 'Nobody deletes himself: 403.',
    operations: [api.deleteUser],
    needs: ['admin'],
    async run(lab) {
      await lab.owner.refused(api.deleteUser, { params: { id: lab.owner.id } }, { status: 403 })
    },
  },
  {
    id: 'USER-009',
    rule: 'A picture of another is set and removed by admins.',
    operations: [api.setUserAvatar, api.deleteUserAvatar, api.getUser],
    needs: ['admin'],
    async run(lab) {
      const { id } = await invite(lab)
      const params = { user_id: id }
      const answer = await lab.owner.send(api.setUserAvatar, { params, ...pictureForm() })
      assert.equal(answer.status, 200)
      const shown = async () => (await lab.owner.call(api.getUser, { params: { id } })).data.image_url
      assert.ok(await shown(), 'image_url is null')
      await lab.owner.call(api.deleteUserAvatar, { params })
      assert.equal(await shown(), null)
    },
  },
])

export const profileLaws = laws('Profile', [
  {
    id: 'PROFILE-001',
    rule: 'The profile is that of the holder of the token, for a bot its own.',
    operations: [api.getProfile, api.getTokenInfo],
    async run(lab) {
      const helper = await lab.helper()
      for (const caller of [lab.owner, helper]) {
        assert.equal((await caller.call(api.getProfile)).data.id, caller.id)
        assert.equal((await caller.call(api.getTokenInfo)).data.user_id, caller.id)
      }
      assert.equal((await helper.call(api.getProfile)).data.bot, true)
    },
  },
  {
    id: 'PROFILE-002',
    rule: 'The value of a token is shown masked: 8 characters, dots and 4 characters.',
    operations: [api.getTokenInfo],
    async run(lab) {
      const { token } = (await lab.owner.call(api.getTokenInfo)).data
      const { token: value = '' } = lab.owner
      assert.equal(token, `${value.slice(0, 8)}...${value.slice(-4)}`)
    },
  },
  {
    id: 'PROFILE-003',
    rule: 'A status is read as it was set, changed in part, and null without data when there is none.',
    operations: [api.setOwnStatus, api.getOwnStatus, api.deleteOwnStatus],
    async run(lab) {
      const helper = await lab.helper()
      const set = (status: object) => helper.call(api.setOwnStatus, { body: { status } })
      const { data } = await set({ emoji: '🏖', title: 'Away' })
      assert.deepEqual([data.emoji, data.title, data.is_away], ['🏖', 'Away', false])
      await set({ title: 'Back soon' })
      const read = await helper.call(api.getOwnStatus)
      assert.deepEqual([read?.data?.emoji, read?.data?.title], ['🏖', 'Back soon'])
      await helper.call(api.deleteOwnStatus)
      assert.equal(await helper.call(api.getOwnStatus), null)
      await helper.call(api.deleteOwnStatus)
    },
  },
  {
    id: 'PROFILE-004',
    rule: 'A status has one emoji (422 wrong_emoji) and a title of at most 50 characters (422 too_long).',
    operations: [api.setOwnStatus],
    async run(lab) {
      const helper = await lab.helper()
      const status = (more: object) => ({ body: { status: { emoji: '🏖', title: 'x', ...more } } })
      await helper.refused(api.setOwnStatus, status({ emoji: 'ab' }), {
        status: 422,
        code: 'wrong_emoji',
        key: 'emoji',
      })
      const long = { status: 422, code: 'too_long', key: 'title' }
      await helper.refused(api.setOwnStatus, status({ title: 'x'.repeat(51) }), long)
    },
  },
  {
    id: 'PROFILE-005',
    rule: 'A picture is set, shown and removed; what is no picture is refused with 422 invalid, key image.',
    operations: [api.setOwnAvatar, api.deleteOwnAvatar, api.getProfile],
    async run(lab) {
      const helper = await lab.helper()
      const answer = await helper.send(api.setOwnAvatar, pictureForm())
      assert.equal(answer.status, 200)
      assert.ok((await helper.call(api.getProfile)).data.image_url, 'image_url is null')
      await helper.call(api.deleteOwnAvatar)
      assert.equal((await helper.call(api.getProfile)).data.image_url, null)
      const text = pictureForm(Buffer.from('no picture'))
      await helper.refused(api.setOwnAvatar, text, { status: 422, code: 'invalid', key: 'image' })
    },
  },
  {
    id: 'PROFILE-006',
    rule: 'Fields of a workspace are listed by what they belong to.',
    operations: [api.listCustomProperties],
    async run(lab) {
      await lab.owner.call(api.listCustomProperties, { query: { entity_type: 'User' } })
      await lab.owner.call(api.listCustomProperties, { query: { entity_type: 'Task' } })
    },
  },
])
