// Uploads and downloads one large file through a real server in a process of its own, and shows that its memory stays
// flat. node bench/big-file.mjs [megabytes=1024]
import './help.mjs'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { withStage } from './stage.mjs'

const megabytes = Number(process.argv[2] ?? 1024)
const TOKEN = 'a-token-for-the-measurement-of-large-files'
const NAME = 'large.bin'
const block = Buffer.alloc(1024 * 1024)
for (let index = 0; index < block.length; index += 1) block[index] = (index * 2_654_435_761) % 251

const memory_mb = (pid, field) =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

/** The largest resident memory while something goes on. */
async function watched(pid, work) {
  let most = 0
  let over = false
  const started = performance.now()
  const watching = (async () => {
    while (!over) {
      most = Math.max(most, memory_mb(pid, 'VmRSS'))
      await wait(50)
    }
  })()
  await work()
  over = true
  await watching
  const seconds = (performance.now() - started) / 1000
  return `${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(0)} MB/s, most resident ${most.toFixed(0)} MB`
}

async function upload(params) {
  const { direct_url, ...fields } = params
  const boundary = 'a-boundary-of-the-measurement'
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${NAME}"\r\n\r\n`
  const tail = `\r\n--${boundary}--\r\n`
  const sending = request(direct_url, {
    method: 'POST',
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': Buffer.byteLength(head) + megabytes * block.length + tail.length,
    },
  })
  const answered = once(sending, 'response')
  sending.write(head)
  for (let sent = 0; sent < megabytes; sent += 1) if (!sending.write(block)) await once(sending, 'drain')
  sending.end(tail)
  const [response] = await answered
  if (response.statusCode !== 204) throw new Error(`the upload was answered ${response.statusCode}`)
}

async function download(url) {
  const response = await fetch(url)
  let bytes = 0
  for await (const chunk of response.body) bytes += chunk.length
  if (bytes !== megabytes * block.length) throw new Error(`the download gave ${bytes} bytes`)
}

await withStage(async (stage) => {
  const { child, hello } = await stage.server({
    PARLEY_OWNER_TOKEN: TOKEN,
    PARLEY_MAX_UPLOAD_BYTES: String(4 * 1024 ** 3),
  })
  const call = async (path, body) => {
    const response = await fetch(`${hello.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  console.log(`${megabytes} MB; resident before: ${memory_mb(child.pid, 'VmRSS').toFixed(0)} MB`)
  const params = await call('/uploads')
  console.log('upload:  ', await watched(child.pid, () => upload(params)))

  const { data: chat } = await call('/chats', { chat: { name: 'large files' } })
  const key = params.key.replace('${filename}', NAME)
  const files = [{ key, name: NAME, file_type: 'file', size: megabytes * block.length }]
  const { data: message } = await call('/messages', { message: { entity_id: chat.id, files } })
  console.log('download:', await watched(child.pid, () => download(message.files[0].url)))
})
