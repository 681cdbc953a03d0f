import { type Block, type Inline, parseText } from '@parley/contract/text'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { state } from '../store.js'
import { CodeBlock } from './code.js'
import { isEmojiOnly } from './emoji-only.js'
import './text.css'

type Line = Extract<Block, { type: 'line' }>
type Code = Extract<Block, { type: 'code' }>

/** The dialect of messages as elements. It is a tree and never HTML, so that there is nothing to sanitise. */
export function Text({ content, after }: { content: string; after?: ComponentChildren }) {
  const paragraphs = useMemo(() => paragraphsOf(parseText(content)), [content])
  return (
    <div class={isEmojiOnly(content) ? 'text text-emoji' : 'text'}>
      {paragraphs.map((part, index) => {
        const last = index === paragraphs.length - 1
        if (!Array.isArray(part)) return <CodeBlock key={index} language={part.language} text={part.text} />
        const paragraph = (
          <p key={index}>
            {part.map((line, at) => (
              <>
                {at > 0 && <br />}
                {line.children.map(draw)}
              </>
            ))}
            {last && !isQuoted(part) && after}
          </p>
        )
        return isQuoted(part) ? (
          <blockquote key={index} dir="auto">
            {paragraph}
          </blockquote>
        ) : (
          paragraph
        )
      })}
      {!takesMore(paragraphs.at(-1)) && after}
    </div>
  )
}

const isQuoted = ([first]: readonly Line[]) => first?.quoted === true

/** Whether what comes after the text can stand in its last line. */
const takesMore = (last: Line[] | Code | undefined) => Array.isArray(last) && !isQuoted(last)

/** Lines up to an empty one are a paragraph; so are lines that were quoted. */
function paragraphsOf(blocks: readonly Block[]): (Line[] | Code)[] {
  const parts: (Line[] | Code)[] = []
  let open: Line[] | undefined
  for (const block of blocks) {
    if (block.type === 'code') {
      parts.push(block)
      open = undefined
    } else if (block.children.length === 0 && !block.quoted) open = undefined
    else if (open && isQuoted(open) === isQuoted([block])) open.push(block)
    else {
      open = [block]
      parts.push(open)
    }
  }
  return parts
}

function draw(inline: Inline, index: number): ComponentChildren {
  switch (inline.type) {
    case 'text':
      return inline.text
    case 'code':
      return <code key={index}>{inline.text}</code>
    case 'bold':
      return <strong key={index}>{inline.children.map(draw)}</strong>
    case 'italic':
      return <em key={index}>{inline.children.map(draw)}</em>
    case 'strike':
      return <s key={index}>{inline.children.map(draw)}</s>
    case 'link':
      return (
        <a key={index} href={inline.url} target="_blank" rel="noopener noreferrer">
          {inline.children.map(draw)}
        </a>
      )
    case 'mention':
      return <MentionName key={index} name={inline.name} />
    case 'user':
      return (
        <MentionName
          key={index}
          name={state.people.value.get(inline.user_id)?.nickname ?? `${inline.user_id}`}
        />
      )
  }
}

function MentionName({ name }: { name: string }) {
  const me = state.session.value?.user.nickname
  const calls = name === me || name === 'all' || name === 'here'
  return <span class={`at ${calls ? 'at-me' : ''}`}>@{name}</span>
}

/** The same in one line without marks, for quotes and lists. */
export function plainText(content: string): string {
  const words = (inline: Inline): string => {
    if ('children' in inline) return inline.children.map(words).join('')
    if (inline.type === 'mention') return `@${inline.name}`
    if (inline.type === 'user')
      return `@${state.people.value.get(inline.user_id)?.nickname ?? inline.user_id}`
    return inline.text
  }
  return parseText(content)
    .map((block) => (block.type === 'code' ? block.text : block.children.map(words).join('')))
    .join(' ')
}
