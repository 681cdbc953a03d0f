// How long it takes from an address to messages on the screen.
import { metricsOf, newContext, openPage, painted } from './pages.mjs'

/** Resolves once the device has a copy of the chat. */
const COPIED = `async (chat) => {
  const opened = (asked) => new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })
  for (;;) {
    const database = await opened(indexedDB.open('parley'))
    const key = await opened(database.transaction('copy').objectStore('copy').getKey('run:' + chat))
    database.close()
    if (key !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}`

export async function coldStart({ browser, url, reader, big }) {
  const context = await newContext(browser, url, reader)
  const tab = await openPage(context)
  await tab.page.goto(`${url}/chats/${big}`)
  const wall_ms = await painted(tab)
  const { cpu_ms } = await metricsOf(tab)
  await context.close()
  return { wall_ms, cpu_ms }
}

/** A slow machine on a slow line. */
export async function slowStart({ browser, url, reader, big }) {
  const context = await newContext(browser, url, reader)
  const tab = await openPage(context)
  await tab.devtools.send('Network.enable')
  await tab.devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  })
  await tab.devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await tab.page.goto(`${url}/chats/${big}`)
  const wall_ms = await painted(tab)
  await context.close()
  return wall_ms
}

export async function warmStarts({ browser, url, reader, big }, rounds) {
  const context = await newContext(browser, url, reader)
  const tab = await openPage(context)
  await tab.page.goto(`${url}/chats/${big}`)
  await painted(tab)
  await tab.page.evaluate(`(${COPIED})(${big})`)
  const times = []
  for (let round = 0; round < rounds; round += 1) {
    await tab.page.reload()
    times.push(await painted(tab))
    await tab.page.evaluate(`(${COPIED})(${big})`)
  }
  await context.close()
  return times
}
