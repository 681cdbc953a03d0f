import { HEALTH_FINDINGS, type HealthCode } from '@parley/contract/health-findings'
import { locale } from '../platform/i18n.js'
import { healthFindings } from './ru/health.js'

/** A sentence and, where something is to be done, advice; names in braces stand for values. */
export type HealthTexts = {
  readonly [C in HealthCode]: {
    readonly [T in Exclude<keyof (typeof HEALTH_FINDINGS)[C], 'check' | 'state'>]: string
  }
}

/** What a look at the server can find. In English these are the words of the server. */
export const healthTexts = (): HealthTexts => (locale() === 'ru' ? healthFindings : HEALTH_FINDINGS)
