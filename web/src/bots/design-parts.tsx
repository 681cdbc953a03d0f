import { useState } from 'preact/hooks'
import { CodeBlock } from '../messages/code.js'
import { ApiFailure, type Fault } from '../platform/api.js'
import { refusalText } from '../platform/refusal.js'
import { TextAreaField } from '../ui/field.js'
import { Tabs } from '../ui/tabs.js'
import { toast } from '../ui/toast.js'
import { botWords } from '../words/bots.js'
import { type Copy, placeOf } from './design.js'

/** Sends a design, and keeps what the server found wrong with it. */
export function useTrial(run: () => Promise<unknown>, done: string | null) {
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [busy, setBusy] = useState(false)
  async function send() {
    setBusy(true)
    setFaults([])
    try {
      await run()
      if (done) toast(done)
    } catch (error) {
      const named = error instanceof ApiFailure && error.status === 422 ? error.faults : []
      setFaults(named)
      if (named.length === 0) toast(refusalText(error), { look: 'bad' })
    }
    setBusy(false)
  }
  return { faults, busy, send }
}

export function Faults({ faults }: { faults: readonly Fault[] }) {
  const bots = botWords()
  if (faults.length === 0) return null
  const lineOf = (fault: Fault) => {
    const { block, part } = placeOf(fault)
    const text = bots.faults[fault.code as keyof typeof bots.faults] ?? bots.faults.invalid
    return `${block === null ? '' : `${bots.blockOf(block)}, `}${part}: ${text}`
  }
  return (
    <div class="bots-faults" role="alert">
      <p>{bots.refused}</p>
      <ul>
        {faults.map((fault) => (
          <li key={fault.key}>{lineOf(fault)}</li>
        ))}
      </ul>
    </div>
  )
}

export function Copies({ copies }: { copies: readonly Copy[] }) {
  const bots = botWords()
  const [name, setName] = useState('JSON')
  const shown = copies.find((one) => one.name === name)
  return (
    <section class="design-part">
      <h2>{bots.copyAs}</h2>
      <Tabs
        label={bots.copyAs}
        value={name}
        tabs={copies.map((one) => ({ value: one.name, label: one.name }))}
        onChoose={setName}
      >
        {shown && <CodeBlock language={shown.language} text={shown.text} />}
      </Tabs>
    </section>
  )
}

interface JsonFieldProps<T> {
  value: T
  /** Undefined where the text is not such a design. */
  read(value: unknown): T | undefined
  onChange(value: T): void
}

/** The whole design as text, for those who paste one. */
export function JsonField<T>({ value, read, onChange }: JsonFieldProps<T>) {
  const bots = botWords()
  const [text, setText] = useState<string | null>(null)
  const [wrong, setWrong] = useState(false)
  function put(next: string) {
    setText(next)
    const found = parsed(next, read)
    setWrong(found === undefined)
    if (found !== undefined) onChange(found)
  }
  return (
    <details class="design-json bots-code">
      <summary>{bots.editJson}</summary>
      <TextAreaField
        label={bots.asJson}
        rows={10}
        value={wrong && text !== null ? text : JSON.stringify(value, null, 2)}
        error={wrong ? bots.wrongJson : undefined}
        onText={put}
      />
    </details>
  )
}

function parsed<T>(text: string, read: (value: unknown) => T | undefined): T | undefined {
  try {
    return read(JSON.parse(text))
  } catch {
    return undefined
  }
}
