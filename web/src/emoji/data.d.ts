declare module 'virtual:emoji-en' {
  export const emoji: readonly import('./find.js').Emoji[]
}
declare module 'virtual:emoji-ru' {
  export const emoji: readonly import('./find.js').Emoji[]
}
