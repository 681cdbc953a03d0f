import type { ApiErrorItem, BotPromo, BotUpdateRequest } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Config } from '../platform/config.js'
import type { Tx } from '../platform/db/index.js'
import { countCharacters, lengthText } from '../platform/http/fault-text.js'
import { Problem, problemItem } from '../platform/problem.js'
import { findPromo, type Promo, updateBotRow } from './queries.js'

type PromoInput = BotUpdateRequest['promo']

const DESCRIPTION_MAX = 5000

function isOwnUpload(actor: Actor, key: string): boolean {
  return new RegExp(`^attaches/files/${actor.user_id}/[\\da-f-]{36}/[^/]+$`).test(key)
}

function checkPromo(actor: Actor, promo: Promo, before: Promo | null, status: 400 | 422) {
  const faults: ApiErrorItem[] = []
  if (promo.published && !promo.description?.trim())
    faults.push(problemItem('blank', { key: 'promo.description', message: 'is needed to publish the page' }))
  const length = countCharacters(promo.description ?? '')
  if (length > DESCRIPTION_MAX)
    faults.push(
      problemItem('too_long', {
        key: 'promo.description',
        message: lengthText(DESCRIPTION_MAX, length),
      }),
    )
  const foreign = promo.promo_images.filter(
    (key) => !isOwnUpload(actor, key) && !before?.promo_images.includes(key),
  )
  if (foreign.length > 0)
    faults.push(
      problemItem('invalid', {
        key: 'promo.promo_images',
        value: foreign.join(', '),
        message: 'must be keys of your own uploads',
      }),
    )
  if (faults.length > 0) throw Problem.of(status, faults)
}

/** Only what is passed changes; null takes the page away. */
export async function changePromo(
  tx: Tx,
  actor: Actor,
  botId: number,
  input: PromoInput,
  { enabled, status }: { enabled: boolean; status: 400 | 422 },
) {
  const before = await findPromo(tx, botId)
  if (input && !enabled)
    throw new Problem(status, 'not_applicable', {
      key: 'promo',
      message: 'a page needs sign-in: set oauth_client first',
    })
  const promo: Promo | null = input
    ? { description: null, published: false, promo_images: [], ...before, ...input }
    : null
  if (promo) checkPromo(actor, promo, before, status)
  await updateBotRow(tx, botId, { promo: promo && JSON.stringify(promo) })
}

/** Pictures have an address of their own that leads on to the storage. */
export function presentPromo(config: Config, botId: number, promo: Promo | null): BotPromo | null {
  if (!promo) return null
  const urlOf = (index: number) => `${config.public_url}/bots/${botId}/promo/${index}`
  return { ...promo, promo_images: promo.promo_images.map((key, index) => ({ key, url: urlOf(index) })) }
}
