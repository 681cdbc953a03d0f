import assert from 'node:assert/strict'
import { test } from 'node:test'
import { S3Client } from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { createDiskStorage } from './disk.js'
import { judgePostForm } from './post-policy.js'
import { FORM, fill, PREFIX, post, start } from './testing-disk.js'
import { filesIn } from './testing-folder.js'

test('an upload form has the fields of the contract, in their order', async (t) => {
  const { storage, port } = await start(t)
  const { fields, direct_url } = await storage.uploadForm(FORM)

  assert.deepEqual(Object.keys(fields), [
    'Content-Disposition',
    'acl',
    'policy',
    'x-amz-credential',
    'x-amz-algorithm',
    'x-amz-date',
    'x-amz-signature',
    'key',
  ])
  assert.equal(fields['Content-Disposition'], 'attachment')
  assert.equal(fields.acl, 'private')
  assert.equal(fields['x-amz-algorithm'], 'AWS4-HMAC-SHA256')
  assert.equal(fields['x-amz-date'], '20260115T120000Z')
  assert.match(fields['x-amz-signature']!, /^[0-9a-f]{64}$/)
  assert.equal(fields.key, `${PREFIX}\${filename}`)
  assert.equal(direct_url, `http://127.0.0.1:${port}/storage/uploads`)
})

test('a policy that was not signed here, was changed or has expired is refused', async (t) => {
  const { storage, folder, clock } = await start(t)
  const { fields, direct_url } = await storage.uploadForm(FORM)
  const other = createDiskStorage({ folder, secret: Buffer.from('another'), publicUrl: 'http://x', clock })
  const foreign = await other.uploadForm(FORM)
  const opened = JSON.parse(Buffer.from(fields.policy!, 'base64').toString())
  opened.conditions.push(['starts-with', '$key', ''])

  const wrong: Record<string, string>[] = [
    foreign.fields,
    { ...fields, policy: Buffer.from(JSON.stringify(opened)).toString('base64') },
    { ...fields, policy: 'nonsense' },
    { ...fields, 'x-amz-signature': '0'.repeat(64) },
    { ...fields, 'x-amz-signature': '' },
    { ...fields, 'x-amz-algorithm': 'none' },
    { ...fields, 'x-amz-credential': fields['x-amz-credential']!.replace('disk', 'root') },
    { ...fields, 'x-amz-date': '20200101T000000Z' },
    { ...fields, acl: 'public-read' },
    { ...fields, 'Content-Disposition': 'inline' },
    { ...fields, key: 'attaches/files/8/somebody/else.txt' },
    { ...fields, key: '' },
    {},
  ]
  for (const [index, changed] of wrong.entries()) {
    assert.equal((await post(direct_url, fill(changed, new Blob(['x'])))).status, 403, `case ${index}`)
  }
  clock.at_ms += FORM.expires_in_s * 1_000
  const late = await post(direct_url, fill(fields, new Blob(['x'])))
  assert.deepEqual(late, { status: 403, text: 'the policy has expired' })
  assert.deepEqual(await filesIn(folder), [])
})

test('our policies and those of the S3 client are signed alike', async () => {
  const credentials = {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  }
  const client = new S3Client({ region: 'eu-west-1', credentials })
  const { fields } = await createPresignedPost(client, {
    Bucket: 'bucket',
    Key: `${PREFIX}a.txt`,
    Conditions: [['content-length-range', 0, 5]],
  })
  const lower = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]))
  const signer = { access_key_id: 'AKIDEXAMPLE', secret: credentials.secretAccessKey, region: 'eu-west-1' }

  assert.deepEqual(judgePostForm(signer, lower, Date.now()), {
    ok: true,
    min_bytes: 0,
    max_bytes: 5,
    key_prefix: '',
  })
  assert.equal(judgePostForm({ ...signer, secret: 'other' }, lower, Date.now()).ok, false)
})
