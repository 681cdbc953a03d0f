import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import css from 'highlight.js/lib/languages/css'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

const LANGUAGES = { bash, c, css, go, java, javascript, json, python, rust, sql, typescript, xml, yaml }
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

export type Token = string | { scope: string; children: readonly Token[] }

/** The text in coloured parts: the tree that the library makes, not the HTML that it prints from it. */
export function tokensOf(text: string, language: string): readonly Token[] {
  if (!hljs.getLanguage(language)) return [text]
  const { _emitter } = hljs.highlight(text, { language, ignoreIllegals: true })
  return (_emitter as unknown as { rootNode: { children: readonly Token[] } }).rootNode.children
}
