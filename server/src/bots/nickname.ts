const NICKNAME = /^[A-Za-z0-9_]+_bot$/
export const NICKNAME_MAX = 255

export function isBotNickname(nickname: string): boolean {
  return nickname.length <= NICKNAME_MAX && NICKNAME.test(nickname)
}
