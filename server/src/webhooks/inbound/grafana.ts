import type { InboundBody } from './read-body.js'

const ALERTS_SHOWN = 20

// biome-ignore lint/suspicious/noExplicitAny: a stranger's object, looked into with care
type Loose = any

const text = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''

function pairs(values: Loose): string {
  if (typeof values !== 'object' || values === null) return ''
  return Object.entries(values)
    .filter(([, value]) => text(value) !== '')
    .map(([name, value]) => `${name}=${text(value)}`)
    .join(', ')
}

function alertLine(alert: Loose): string {
  const values = pairs(alert?.values)
  const line = [`- ${pairs(alert?.labels)}`, ...(values ? [`(${values})`] : [])].join(' ')
  const image = text(alert?.imageURL)
  return image ? `${line}\n${image}` : line
}

function panelOf(body: Loose, alerts: Loose[]): string {
  const panel = alerts.map((alert) => text(alert?.panelURL) || text(alert?.generatorURL)).find(Boolean)
  return text(body.ruleUrl) || panel || text(body.externalURL)
}

/** Alerts as text: their state and title, the message, one line for each, the panel, and a picture where there is one. */
export function grafanaText(body: InboundBody): string | undefined {
  const loose = body as Loose
  const title = text(loose.title) || text(loose.ruleName)
  const status = text(loose.status) || text(loose.state)
  if (!title && !status) return undefined
  const alerts: Loose[] = Array.isArray(loose.alerts) ? loose.alerts : []
  const matches: Loose[] = Array.isArray(loose.evalMatches) ? loose.evalMatches : []
  const lines = [
    `**[${status}] ${title}**`,
    text(loose.message),
    ...alerts.slice(0, ALERTS_SHOWN).map(alertLine),
    ...matches
      .slice(0, ALERTS_SHOWN)
      .map((match) => `- ${text(match?.metric)} (value=${text(match?.value)})`),
    panelOf(loose, alerts),
    text(loose.imageUrl),
  ]
  return lines.filter((line) => line !== '').join('\n')
}
