import type { BotResponse, BotUpdateRequest } from '@parley/contract'
import { useState } from 'preact/hooks'
import { ApiFailure, call, type Fault } from '../platform/api.js'
import { refusalText } from '../platform/refusal.js'
import { toast } from '../ui/toast.js'
import { botWords } from '../words/bots.js'

/** Texts by the last part of the key: `webhook.outgoing_url` is the field `outgoing_url`. */
export type FieldFaults = Readonly<Record<string, string>>

function textOf({ code }: Fault): string {
  const { faults } = botWords()
  return faults[code as keyof typeof faults] ?? faults.invalid
}

/** The faults of an answer by field; undefined where it names none. */
export function fieldFaults(error: unknown): FieldFaults | undefined {
  if (!(error instanceof ApiFailure) || (error.status !== 422 && error.status !== 400)) return undefined
  const named = error.faults.filter(({ key }) => key !== null)
  if (named.length === 0) return undefined
  return Object.fromEntries(named.map((fault) => [partOf(fault.key as string), textOf(fault)]))
}

/** Lists are refused by the place of what is wrong in them. */
function partOf(key: string): string {
  return (
    key
      .split('.')
      .filter((part) => !/^\d+$/.test(part))
      .at(-1) ?? key
  )
}

/** Changes a bot, and says what the server refused beside the field it is about. */
export function useSaving(bot: BotResponse, onChange: (bot: BotResponse) => void) {
  const [faults, setFaults] = useState<FieldFaults>({})
  const [busy, setBusy] = useState(false)

  async function save(body: BotUpdateRequest): Promise<boolean> {
    setBusy(true)
    setFaults({})
    try {
      onChange((await call('updateBot', { params: { id: bot.id }, body })).data)
      toast(botWords().saved)
      return true
    } catch (error) {
      await refused(error)
      return false
    } finally {
      setBusy(false)
    }
  }

  async function refused(error: unknown) {
    const found = fieldFaults(error)
    if (found) return setFaults(found)
    if (error instanceof ApiFailure && error.code === 'bot_changed_concurrently') {
      onChange((await call('getBot', { params: { id: bot.id } })).data)
      return toast(botWords().changedElsewhere, { look: 'bad' })
    }
    toast(refusalText(error), { look: 'bad' })
  }
  return { faults, busy, save }
}
