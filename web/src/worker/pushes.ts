import type { Push } from '@parley/contract/notify'
import { composeMessage, composeNotice, composeTest, type Shown } from './compose.js'
import type { WorkerEvent, WorkerScope } from './scope.js'

interface NotificationData {
  path: string
  message_id?: number
  notice_id?: number
}

/** Shows what is pushed, takes away what was read elsewhere, and opens what is clicked. */
export function takePushes(scope: WorkerScope) {
  const windows = () => scope.clients.matchAll({ type: 'window', includeUncontrolled: true })

  /** While no page is open, the icon of the app counts notifications. */
  async function count() {
    if ((await windows()).length > 0) return
    const shown = (await scope.registration.getNotifications()).length
    const { navigator } = scope
    await (shown > 0 ? navigator.setAppBadge?.(shown) : navigator.clearAppBadge?.())?.catch(() => {})
  }

  async function show({ title, options }: Shown) {
    await scope.registration.showNotification(title, options)
    await count()
  }

  async function close(chatId: number, messageId: number) {
    for (const shown of await scope.registration.getNotifications({ tag: `chat-${chatId}` }))
      if (((shown.data as NotificationData).message_id ?? 0) <= messageId) shown.close()
    await count()
  }

  async function closeNotices(ids: readonly number[]) {
    for (const shown of await scope.registration.getNotifications())
      if (ids.includes((shown.data as NotificationData | null)?.notice_id ?? 0)) shown.close()
    await count()
  }

  async function tryOut(nonce: string) {
    const shown = await show(composeTest(scope.navigator.language)).then(
      () => true,
      () => false,
    )
    for (const client of await windows()) client.postMessage({ kind: 'test', nonce, shown })
  }

  async function take(push: Push) {
    if (push.type === 'test') return tryOut(push.nonce)
    if (push.type === 'close') return close(push.chat_id, push.message_id)
    if (push.type === 'close_notices') return closeNotices(push.notice_ids)
    // A page that has the focus calls by itself.
    if ((await windows()).some(({ focused }) => focused)) return
    await show(push.type === 'notice' ? composeNotice(push, scope.navigator.language) : composeMessage(push))
  }

  async function open({ notification }: WorkerEvent<'notificationclick'>) {
    notification.close()
    const { path } = notification.data as NotificationData
    const [page] = await windows()
    if (!page) return scope.clients.openWindow(path)
    page.postMessage({ kind: 'open', path })
    return page.focus()
  }

  scope.addEventListener('push', (event) => {
    if (event.data) event.waitUntil(take(event.data.json() as Push))
  })
  scope.addEventListener('notificationclick', (event) => event.waitUntil(open(event).then(count)))
  scope.addEventListener('notificationclose', (event) => event.waitUntil(count()))
}
