import { useState } from 'preact/hooks'
import { TextField } from '../ui/field.js'
import { botWords } from '../words/bots.js'

const partsOf = (text: string) => text.split(/[\s,]+/).filter(Boolean)
const isId = (part: string) => /^\d{1,9}$/.test(part)

interface ChatIdsFieldProps {
  value: readonly number[]
  fault?: string | undefined
  onChange(ids: number[]): void
}

/** Numbers of chats, as they are typed; what is no number is told and left out. */
export function ChatIdsField({ value, fault, onChange }: ChatIdsFieldProps) {
  const bots = botWords()
  const [text, setText] = useState(value.join(' '))
  return (
    <TextField
      label={bots.onlyChats}
      hint={bots.onlyChatsHint}
      value={text}
      error={partsOf(text).every(isId) ? fault : bots.wrongNumber}
      onText={(next) => {
        setText(next)
        onChange(partsOf(next).filter(isId).map(Number))
      }}
    />
  )
}
