import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createScene } from '../testing/simulated/scene.js'

test('what failed for good is not asked to be tried again', async () => {
  const { client } = createScene(1, 9).browser.open()
  const { ApiFailure, ConnectionFailure, refusalText } = client
  await client.setLocale('en')
  const { common } = client.words()
  const textOf = (status: number, code = 'any') =>
    refusalText(new ApiFailure(status, { errors: [{ code }] }, null))
  const texts = [400, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504].map((status) => textOf(status))
  assert.deepEqual(texts, [
    common.notAccepted,
    common.notAllowed,
    common.gone,
    common.notAccepted,
    common.gone,
    common.notAccepted,
    common.tooOften,
    common.failed,
    common.unreachable,
    common.failed,
    common.unreachable,
  ])
  assert.equal(textOf(403, 'QuotaExceeded'), common.quotaFull)
  assert.equal(refusalText(new ConnectionFailure()), common.unreachable)
  assert.equal(refusalText(new Error('a fault of the client')), common.failed)
})
