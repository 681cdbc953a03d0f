import { RATES, type RateWindow, type WorkspaceLimits } from '@parley/contract'
import type { Context } from '../platform/context.js'

/** What the server allows, with the windows that the operator has set. */
export function readLimits({ config }: Pick<Context, 'config'>): WorkspaceLimits {
  const usual: readonly RateWindow[] = Object.values(RATES).flat()
  const changed = new Map(config.rate_windows.map((window) => [window.name, window]))
  return {
    rates_enabled: config.rate_limits,
    rates: usual.map(({ name, by, ...window }) => {
      const { requests, window_s } = changed.get(name) ?? window
      return { name, by, requests, window_s }
    }),
    upload_bytes: config.max_upload_bytes,
    upload_quota_bytes: config.upload_quota_bytes,
  }
}
