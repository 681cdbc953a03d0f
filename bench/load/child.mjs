// The process that makes the load, one plan after the other, so that its work is nobody else's.
import { loadHttp } from './http.mjs'
import { loadMix } from './mix.mjs'
import { loadPosts } from './posts.mjs'
import { loadSql } from './sql.mjs'

const KINDS = { http: loadHttp, mix: loadMix, sql: loadSql, posts: loadPosts }

process.on('message', async ({ kind, ...plan }) => {
  const tell = (window) => process.send({ window })
  try {
    process.send({ result: await KINDS[kind](plan, tell) })
  } catch (error) {
    process.send({ error: String(error?.stack ?? error) })
  }
})
process.on('disconnect', () => process.exit(0))
