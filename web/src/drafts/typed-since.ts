import type { Written } from './device.js'

/** What is left in a field once a part of it has gone another way: the text and the files that came after it. */
export function typedSince(gone: Written, now: Written): Written {
  const keys = new Set(gone.files.map(({ key }) => key))
  return {
    content: textSince(gone.content.trimEnd(), now.content),
    files: now.files.filter(({ key }) => !keys.has(key)),
    parent_message_id: now.parent_message_id === gone.parent_message_id ? null : now.parent_message_id,
  }
}

/** A text that was changed in its middle is kept whole: nothing says which part of it is new. */
function textSince(gone: string, now: string): string {
  if (now.trim() === gone.trim()) return ''
  return now.startsWith(gone) ? now.slice(gone.length).trimStart() : now
}
