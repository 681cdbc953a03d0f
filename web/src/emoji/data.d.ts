declare module 'virtual:emoji-en' {
  export const emoji: readonly (readonly [
    char: string,
    name: string,
    tags: string,
    group: number,
    codes: string,
  ])[]
}
declare module 'virtual:emoji-ru' {
  export const emoji: readonly (readonly [
    char: string,
    name: string,
    tags: string,
    group: number,
    codes: string,
  ])[]
}
