// The seeded workspace, its server and a browser.
import pg from 'pg'
import { databaseOf, makeFolder, startServer } from '../machine/processes.mjs'
import { launch } from './pages.mjs'
import { seed } from './seed.mjs'

export async function openBench(say) {
  const began = performance.now()
  const folder = await makeFolder()
  const opened = [folder.remove]
  const close = async () => {
    for (const end of opened.reverse()) await end()
  }
  try {
    const server = await startServer({ folder: folder.path, quiet: true })
    opened.push(server.stop)
    const db = new pg.Client({ connectionString: await databaseOf(folder.path) })
    await db.connect()
    const workspace = await seed(db)
    await db.end()
    say(`the workspace was filled in ${Math.round((performance.now() - began) / 1000)} s`)
    const browser = await launch()
    opened.push(() => browser.close())
    return { browser, url: server.url, ...workspace, close }
  } catch (error) {
    await close()
    throw error
  }
}
