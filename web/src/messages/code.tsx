import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { copy } from '../frame/copy.js'
import { words } from '../platform/i18n.js'
import { ToolButton } from '../ui/button.js'
import './code.css'

type Token = string | { scope: string; children: readonly Token[] }

function drawToken(token: Token, index: number): ComponentChildren {
  if (typeof token === 'string') return token
  return (
    <span key={index} class={`code-${token.scope.split('.')[0]}`}>
      {token.children.map(drawToken)}
    </span>
  )
}

/** Colours come after the first paint, and the library for them with the first block that is seen. */
function useTokens(text: string, language: string | null): readonly Token[] {
  const [tokens, setTokens] = useState<readonly Token[]>([text])
  useEffect(() => {
    let current = true
    setTokens([text])
    if (language)
      void import('./highlight.js').then(({ tokensOf }) => {
        if (current) setTokens(tokensOf(text, language))
      })
    return () => {
      current = false
    }
  }, [text, language])
  return tokens
}

export function CodeBlock({ text, language }: { text: string; language: string | null }) {
  const tokens = useTokens(text, language)
  const { messages } = words()
  return (
    <figure class="code">
      <figcaption class="code-head">
        <span>{language ?? messages.code}</span>
        <ToolButton icon="copy" size="sm" label={messages.copyCode} onClick={() => void copy(text)} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by the keyboard. */}
      <pre tabIndex={0}>{tokens.map(drawToken)}</pre>
    </figure>
  )
}
