import type { Endpoint, EndpointRequest, EndpointTest, EndpointWithSecret } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { ListEnd } from '../frame/waiting.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { Section } from '../settings/section.js'
import { Thing, Things } from '../settings/things.js'
import { SecretDialog } from '../tokens/secret-dialog.js'
import { Button, ToolButton } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { toast } from '../ui/toast.js'
import { botWords } from '../words/bots.js'
import type { BotPageProps } from './bot-page.js'
import { EndpointDialog } from './endpoint-dialog.js'
import { errorText } from './error-text.js'

function useEndpoints(id: number) {
  const [changes, setChanges] = useState(0)
  const pages = usePages(
    '',
    async (_, cursor, signal) => {
      const query = { limit: 50, ...(cursor ? { cursor } : {}) }
      const { data, meta } = await call('listEndpoints', { params: { id }, query, signal })
      return { items: data, next: nextOf(meta) }
    },
    (endpoint: Endpoint) => endpoint.id,
    [changes],
  )
  return { ...pages, again: () => setChanges((count) => count + 1) }
}

/** Every address of the bot: tried, changed, resumed, given another key, deleted. */
export function EndpointsPage({ bot: { id } }: BotPageProps) {
  const bots = botWords()
  const pages = useEndpoints(id)
  const { items, again } = pages
  const [open, setOpen] = useState<Endpoint | 'new' | null>(null)
  const [secret, setSecret] = useState<{ label: string; value: string } | null>(null)

  function showKey({ name, signing_secret, public_key }: EndpointWithSecret) {
    setSecret({ label: name, value: signing_secret ?? public_key ?? '' })
    again()
  }
  async function save(body: EndpointRequest) {
    if (open === 'new') showKey((await call('createEndpoint', { params: { id }, body })).data)
    else if (open) {
      const { signature, ...change } = body
      await call('updateEndpoint', { params: { id, endpoint_id: open.id }, body: change })
      again()
    }
    setOpen(null)
  }
  return (
    <Section title={bots.pages.endpoints} text={bots.endpointsText}>
      {items && items.length > 0 && (
        <Things>
          {items.map((endpoint) => (
            <EndpointLine
              key={endpoint.id}
              bot_id={id}
              endpoint={endpoint}
              onEdit={() => setOpen(endpoint)}
              onKey={showKey}
              onChange={again}
            />
          ))}
        </Things>
      )}
      <ListEnd {...pages} />
      <div class="settings-end">
        <Button look="main" icon="plus" onClick={() => setOpen('new')}>
          {bots.newEndpoint}
        </Button>
      </div>
      {open && (
        <EndpointDialog endpoint={open === 'new' ? null : open} onSave={save} onClose={() => setOpen(null)} />
      )}
      {secret && <SecretDialog {...secret} onClose={() => setSecret(null)} />}
    </Section>
  )
}

interface EndpointLineProps {
  bot_id: number
  endpoint: Endpoint
  onEdit(): void
  onKey(endpoint: EndpointWithSecret): void
  onChange(): void
}

/** Endpoint 0 has its settings, and its secret, on the page of the webhook. */
function EndpointLine({ bot_id, endpoint, onEdit, onKey, onChange }: EndpointLineProps) {
  const bots = botWords()
  const { common } = words()
  const { id: endpoint_id, name, url, signature, paused_at, failures, disabled } = endpoint
  const params = { id: bot_id, endpoint_id }
  const own = endpoint_id !== 0

  async function test() {
    await attempt(async () => {
      const { data } = await call('testEndpoint', { params })
      toast(answerOf(data), data.status !== null && data.status < 300 ? {} : { look: 'bad' })
    })
  }
  async function resume() {
    if (await attempt(() => call('resumeEndpoint', { params }))) toast(bots.resumed)
    onChange()
  }
  async function rotate() {
    const question = { title: bots.rotateTitle, text: bots.rotateText, action: bots.rotate }
    if (!(await confirm({ ...question, cancel: common.cancel }))) return
    await attempt(async () => onKey((await call('rotateEndpointSecret', { params, body: {} })).data))
  }
  async function remove() {
    const question = { title: bots.deleteAsk(name), text: bots.deleteEndpointText, action: bots.remove }
    if (!(await confirm({ ...question, cancel: common.cancel, danger: true }))) return
    await attempt(() => call('deleteEndpoint', { params }))
    onChange()
  }
  return (
    <Thing
      icon="send"
      name={name}
      badge={paused_at ? bots.paused : disabled ? bots.turnedOff : undefined}
      about={[
        url || bots.noWebhook,
        signature === 'ed25519' ? 'Ed25519' : 'HMAC-SHA256',
        paused_at && bots.pausedSince(formatMoment(paused_at)),
        failures > 0 && bots.failedInARow(failures),
      ]}
    >
      {paused_at && <ToolButton icon="play" label={bots.resumeOf(name)} onClick={() => void resume()} />}
      <ToolButton icon="send" label={bots.testOf(name)} disabled={url === ''} onClick={() => void test()} />
      {own && <ToolButton icon="edit" label={bots.editOf(name)} onClick={onEdit} />}
      {own && <ToolButton icon="retry" label={bots.rotateOf(name)} onClick={() => void rotate()} />}
      {own && <ToolButton icon="trash" label={bots.removeOf(name)} onClick={() => void remove()} />}
    </Thing>
  )
}

function answerOf(test: EndpointTest): string {
  const bots = botWords()
  return test.status === null
    ? bots.testFailed(errorText(test))
    : bots.testAnswered(test.status, test.duration_ms)
}
