let made = 0

/** A word that no other message holds. */
export function word(known) {
  made += 1
  return `w${made.toString(36)}x${known.below(1296).toString(36)}`
}
