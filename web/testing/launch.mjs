// A browser for scripts and measurements.
import { chromium } from 'playwright-core'
import { findBrowser, HOW_TO_GET_ONE } from './find-browser.mjs'

export async function launchBrowser(options = {}) {
  const found = await findBrowser()
  if (!found) throw new Error(HOW_TO_GET_ONE)
  return chromium.launch({ executablePath: found.path, env: { ...process.env, ...found.env }, ...options })
}
