import * as api from '@parley/contract'
import { changeSettings, readSettings } from '../company/settings.js'
import { bodyCheck } from '../platform/http/check-body.js'
import { OperatorError } from './errors.js'
import type { OpenWorkspace } from './workspace.js'

const NAMES = Object.keys(api.updateWorkspaceSettings.body.properties)
const LISTS = new Set(['perimeter'])
const PLAIN: Record<string, unknown> = { true: true, false: false, null: null }

function parseValue(name: string, text: string): unknown {
  if (LISTS.has(name)) return text.split(',').filter(Boolean)
  if (name === 'name') return text
  if (text in PLAIN) return PLAIN[text]
  return /^\d+$/.test(text) ? Number(text) : text
}

/** `name=Acme`, `licenses=null`, `perimeter=10.0.0.0/8,192.0.2.7`. */
function readChange(pair: string): [string, unknown] {
  const at = pair.indexOf('=')
  const name = pair.slice(0, Math.max(0, at))
  if (NAMES.includes(name)) return [name, parseValue(name, pair.slice(at + 1))]
  throw new OperatorError(`${pair} is no setting: give name=value, with a name of ${NAMES.join(', ')}.`)
}

export function showSettings({ ctx }: OpenWorkspace): Promise<api.WorkspaceSettings> {
  return readSettings(ctx)
}

/** Changes settings of the workspace as its owner could. */
export function setSettings({ ctx, actor }: OpenWorkspace, pairs: readonly string[]) {
  const change = Object.fromEntries(pairs.map(readChange)) as Partial<api.WorkspaceSettings>
  bodyCheck(api.updateWorkspaceSettings)(change)
  return changeSettings(ctx, actor, change)
}
