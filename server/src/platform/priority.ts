import { readlinkSync } from 'node:fs'
import { readlink } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

/** Linux knows a priority for each thread, and names the one that asks here. */
const SELF = '/proc/thread-self'
const LOWER = 10
/** So many questions at once are answered by all threads of the pool. */
const QUESTIONS = 64

function lower(thread: string) {
  const id = Number(basename(thread))
  if (getPriority(id) < LOWER) setPriority(id, LOWER)
}

/** Lets the thread that calls this give way to the event loop where cores are short. */
export function giveWay() {
  try {
    lower(readlinkSync(SELF))
  } catch {
    // Another system: all threads are equal.
  }
}

/** Lets the threads that hash passwords, decode pictures and read files give way to the event loop. */
export async function lowerPool() {
  try {
    const asked = Array.from({ length: QUESTIONS }, () => readlink(SELF))
    for (const thread of new Set(await Promise.all(asked))) lower(thread)
  } catch {
    // Another system: all threads are equal.
  }
}
