const SHOWN_LARGE = 6
/** Longer than any six of them: such a text is not looked at. */
const CHARACTERS_AT_MOST = 200

const PICTURE =
  /(?:(?!\p{Regional_Indicator})\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F)(?:\p{Emoji_Modifier}|\uFE0F)?/u
    .source
const BASE = /(?:\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?)/u.source
const FLAG = /\p{Regional_Indicator}{2}/u.source
const KEYCAP = /[0-9#*]\uFE0F?\u20E3/u.source
const TAGS = /[\u{E0020}-\u{E007F}]*/u.source
const ONE = `(?:${FLAG}|${KEYCAP}|(?:${PICTURE}${TAGS}|${BASE}(?=\\u200D))(?:\\u200D${BASE})*)`
const FEW = new RegExp(`^\\s*(?:${ONE}\\s*){1,${SHOWN_LARGE}}$`, 'u')

/** Whether a text is a few emoji and nothing else: it is shown large. */
export function isEmojiOnly(content: string): boolean {
  return content.length <= CHARACTERS_AT_MOST && FEW.test(content)
}
