import type { TestContext } from 'node:test'
import S3rver from 's3rver'
import { testFolder } from '../platform/storage/testing-folder.js'

/** A store that speaks S3, with one empty bucket or none; it ends with the test. */
export async function startS3Store(t: TestContext, { buckets = ['files'] } = {}) {
  const directory = await testFolder(t)
  const bucket = 'files'
  const store = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  })
  const { port } = await store.run()
  t.after(() => store.close())
  return {
    directory,
    bucket,
    endpoint: `http://127.0.0.1:${port}`,
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  }
}
