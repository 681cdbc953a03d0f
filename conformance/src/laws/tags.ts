import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import { laws } from '../law.js'
import { walkPages } from '../pages.js'

export const tagLaws = laws('Group tags', [
  {
    id: 'TAG-001',
    rule: 'A tag is read as it was made, renamed, and gone when it is deleted.',
    operations: [api.createGroupTag, api.getGroupTag, api.updateGroupTag, api.deleteGroupTag],
    needs: ['admin'],
    async run(lab) {
      const tag = await lab.newTag()
      const params = { id: tag.id }
      assert.deepEqual((await lab.owner.call(api.getGroupTag, { params })).data, tag)
      assert.equal(tag.users_count, 0)
      const name = lab.name('renamed')
      const { data } = await lab.owner.call(api.updateGroupTag, { params, body: { group_tag: { name } } })
      assert.equal(data.name, name)
      await lab.owner.call(api.deleteGroupTag, { params })
      await lab.owner.refused(api.getGroupTag, { params }, { status: 404 })
    },
  },
  {
    id: 'TAG-002',
    rule: 'The name of a tag is unique whatever its case: 409 already_exists, key name.',
    operations: [api.createGroupTag],
    needs: ['admin'],
    async run(lab) {
      const { name } = await lab.newTag()
      const again = { body: { group_tag: { name: name.toUpperCase() } } }
      await lab.owner.refused(api.createGroupTag, again, { status: 409, code: 'already_exists', key: 'name' })
    },
  },
  {
    id: 'TAG-003',
    rule: 'A tag has a name, without @, and not that of all or here.',
    operations: [api.createGroupTag],
    needs: ['admin'],
    async run(lab) {
      const named = (name: string) => ({ body: { group_tag: { name } } })
      await lab.owner.refused(api.createGroupTag, named(' '), { status: 422, code: 'blank', key: 'name' })
      await lab.owner.refused(api.createGroupTag, named('a@b'), { status: 422, code: 'invalid', key: 'name' })
      const reserved = { status: 422, code: 'use_of_system_words', key: 'name' }
      await lab.owner.refused(api.createGroupTag, named('here'), reserved)
    },
  },
  {
    id: 'TAG-004',
    rule: 'Tags are listed by id, by pages; names picks some of them.',
    operations: [api.listGroupTags],
    needs: ['admin'],
    async run(lab) {
      const made = [await lab.newTag(), await lab.newTag(), await lab.newTag()]
      await lab.newTag()
      const names = made.map(({ name }) => name)
      const expected = made.map(({ id }) => id)
      await walkPages(lab.owner, { operation: api.listGroupTags, query: { names }, expected })
    },
  },
  {
    id: 'TAG-005',
    rule: 'People who get a tag are in it, in its count and in its chats; who loses it leaves them.',
    operations: [api.updateUser, api.listGroupTagUsers, api.bindChatTags, api.getChat, api.getGroupTag],
    needs: ['admin', 'member'],
    async run(lab) {
      const tag = await lab.newTag()
      const chat = await lab.newChat()
      const params = { id: chat.id }
      await lab.owner.call(api.bindChatTags, { params, body: { group_tag_ids: [tag.id] } })
      const wear = (list_tags: string[]) =>
        lab.owner.call(api.updateUser, { params: { id: lab.member.id }, body: { user: { list_tags } } })
      lab.after(() => wear([]))
      await wear([tag.name])
      const { data } = await lab.owner.call(api.listGroupTagUsers, { params: { id: tag.id } })
      assert.deepEqual(
        data.map(({ id }) => id),
        [lab.member.id],
      )
      assert.equal((await lab.owner.call(api.getGroupTag, { params: { id: tag.id } })).data.users_count, 1)
      const isMember = async () =>
        (await lab.owner.call(api.getChat, { params })).data.member_ids.includes(lab.member.id)
      assert.equal(await lab.eventually(isMember, (is) => is), true, 'the tag brought nobody into its chat')
      await wear([])
      assert.equal(await lab.eventually(isMember, (is) => !is), false, 'the person is still in the chat')
    },
  },
  {
    id: 'TAG-006',
    rule: 'Binding a tag that does not exist binds none of them: 404.',
    operations: [api.bindChatTags, api.getChat],
    needs: ['admin'],
    async run(lab) {
      const tag = await lab.newTag()
      const { id } = await lab.newChat()
      const body = { group_tag_ids: [tag.id, 2_147_483_000] }
      await lab.owner.refused(api.bindChatTags, { params: { id }, body }, { status: 404 })
      assert.deepEqual((await lab.owner.call(api.getChat, { params: { id } })).data.group_tag_ids, [])
      await lab.owner.call(api.bindChatTags, { params: { id }, body: { group_tag_ids: [tag.id] } })
      assert.deepEqual((await lab.owner.call(api.getChat, { params: { id } })).data.group_tag_ids, [tag.id])
      await lab.owner.call(api.unbindChatTag, { params: { id, tag_id: tag.id } })
      assert.deepEqual((await lab.owner.call(api.getChat, { params: { id } })).data.group_tag_ids, [])
    },
  },
])
