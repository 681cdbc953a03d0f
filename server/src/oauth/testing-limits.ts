import assert from 'node:assert/strict'
import type { Explanation, TokenLimits } from '@parley/contract'
import * as api from '@parley/contract'
import { ApiFailure, createClient } from '@parley/sdk/contract'
import type { Person, World } from '../testing/world.js'
import { scopesOf } from './tokens.js'

/** A person with a token under limits; `session` is that person at the screen. */
export async function limited(scene: World, person: Person, limits: TokenLimits) {
  const session = await scene.as(person.id, { session: true })
  const scopes = scopesOf('user')
  const { data } = await session.call(api.createPersonalToken, { body: { name: 'program', scopes, limits } })
  const token = data.access_token
  const client: Person = {
    id: person.id,
    token,
    ...createClient({ base_url: `${scene.url}/v1`, token }),
  }
  return { session, client, token_id: data.id }
}

export async function refusal(
  call: Promise<unknown>,
): Promise<{ status: number; rule: string | undefined; needs: Record<string, unknown> }> {
  const error = await call.then(
    (answer) => assert.fail(`answered ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ApiFailure, String(error))
  const { explanation } = error.body as { explanation?: Explanation }
  return { status: error.status, rule: explanation?.rule, needs: { ...explanation?.needs } }
}

export const saying = (entity_id: number, content: string) => ({ body: { message: { entity_id, content } } })
