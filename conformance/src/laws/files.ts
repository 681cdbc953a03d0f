import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import type { Caller } from '../client.js'
import type { Lab } from '../lab.js'
import { laws } from '../law.js'

const TEXT = 'Monday: Oslo'

/** The two steps of an upload; gives the entry for `files`. */
async function upload(by: Caller, name = 'plan.txt') {
  const { direct_url, ...fields } = await by.call(api.getUploadParams)
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob([TEXT]), name)
  const { status } = await fetch(direct_url, { method: 'POST', body: form })
  assert.equal(status, 204, `the storage answered ${status} to the form`)
  const key = fields.key.replace('${filename}', () => name)
  return { key, name, file_type: 'file' as const, size: TEXT.length }
}

async function withFile(lab: Lab) {
  const file = await upload(lab.owner)
  const message = await lab.say({ files: [file] })
  return { file, message }
}

export const fileLaws = laws('Files', [
  {
    id: 'FILE-001',
    rule: 'The form of an upload is answered bare, and the storage takes it with 204.',
    operations: [api.getUploadParams],
    async run(lab) {
      const { key } = await upload(lab.owner)
      assert.ok(key.endsWith('/plan.txt'), `the key is ${key}`)
    },
  },
  {
    id: 'FILE-002',
    rule: 'A message carries its file, whose link gives the content without a token.',
    operations: [api.createMessage, api.getMessage],
    async run(lab) {
      const { file, message } = await withFile(lab)
      const [shown] = message.files
      assert.deepEqual([shown?.name, shown?.file_type, shown?.key], [file.name, 'file', file.key])
      const response = await fetch(shown?.url ?? '')
      assert.deepEqual([response.status, await response.text()], [200, TEXT])
    },
  },
  {
    id: 'FILE-003',
    level: 'additions',
    rule: 'The download operation streams a file to those who read its message, and to nobody else.',
    operations: [api.downloadFile],
    async run(lab) {
      const { message } = await withFile(lab)
      const params = { id: message.files[0]?.id ?? 0 }
      const answer = await lab.owner.send(api.downloadFile, { params })
      assert.deepEqual([answer.status, answer.text], [200, TEXT])
      await (await lab.stranger()).refused(api.downloadFile, { params }, { status: 403 })
      await lab.owner.refused(api.downloadFile, { params: { id: 2_147_483_000 } }, { status: 404 })
    },
  },
  {
    id: 'FILE-004',
    rule: 'A key of somebody else, and a name with another ending than its key, are refused with 422 wrong_params.',
    operations: [api.createMessage],
    async run(lab) {
      const { id } = await lab.room()
      const file = await upload(lab.owner)
      const saying = (given: object) => ({ body: { message: { entity_id: id, files: [given] } } })
      const refusal = { status: 422, code: 'wrong_params' }
      await (await lab.helper()).refused(api.createMessage, saying(file), refusal)
      await lab.owner.refused(api.createMessage, saying({ ...file, name: 'plan.pdf' }), refusal)
    },
  },
  {
    id: 'FILE-005',
    rule: 'A key that nothing was uploaded to is refused with 422 not_found.',
    operations: [api.createMessage],
    async run(lab) {
      const { key } = await lab.owner.call(api.getUploadParams)
      const { id } = await lab.room()
      const file = {
        key: key.replace('${filename}', 'plan.txt'),
        name: 'plan.txt',
        file_type: 'file',
        size: 1,
      }
      const body = { message: { entity_id: id, files: [file] } }
      await lab.owner.refused(api.createMessage, { body }, { status: 422, code: 'not_found' })
    },
  },
  {
    id: 'FILE-006',
    rule: 'At most 10 files are in a message: 422.',
    operations: [api.createMessage],
    async run(lab) {
      const { id } = await lab.room()
      const file = await upload(lab.owner)
      const body = { message: { entity_id: id, files: Array.from({ length: 11 }, () => file) } }
      await lab.owner.refused(api.createMessage, { body }, { status: 422, key: 'files' })
    },
  },
  {
    id: 'FILE-007',
    rule: 'The file of a deleted message is gone from the message and from the storage.',
    operations: [api.deleteMessage, api.getMessage],
    async run(lab) {
      const { message } = await withFile(lab)
      const url = message.files[0]?.url ?? ''
      await lab.owner.call(api.deleteMessage, { params: { id: message.id } })
      const { data } = await lab.owner.call(api.getMessage, { params: { id: message.id } })
      assert.deepEqual(data.files, [])
      const status = await lab.eventually(
        async () => (await fetch(url)).status,
        (code) => code !== 200,
      )
      assert.notEqual(status, 200, 'the storage still has the file')
    },
  },
])
