import type { InboundBody } from './read-body.js'

const COMMITS_SHOWN = 5

// biome-ignore lint/suspicious/noExplicitAny: a stranger's object, looked into with care
type Loose = any

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const oneLine = (value: unknown) => text(value).split('\n', 1)[0]?.trim() ?? ''
const link = (title: unknown, url: unknown) =>
  text(url) ? `[${oneLine(title)}](${text(url)})` : oneLine(title)
const head = (project: Loose, actor: unknown) =>
  `**${text(project?.path_with_namespace) || text(project?.name)}** ${text(actor)}`

function push(body: Loose): string {
  const commits: Loose[] = Array.isArray(body.commits) ? body.commits : []
  const branch = text(body.ref).replace(/^refs\/(heads|tags)\//, '')
  const count = Number(body.total_commits_count ?? commits.length)
  const url = text(body.project?.web_url) && `${text(body.project.web_url)}/-/tree/${branch}`
  const first = `${head(body.project, body.user_name)} pushed ${count} ${count === 1 ? 'commit' : 'commits'} to ${link(branch, url)}`
  const lines = commits
    .slice(0, COMMITS_SHOWN)
    .map(
      (commit) => `- ${link(commit?.title ?? commit?.message, commit?.url)} (${text(commit?.author?.name)})`,
    )
  return [first, ...lines].join('\n')
}

function pipeline(body: Loose): string {
  const { id, status, ref, url } = body.object_attributes ?? {}
  const address =
    text(url) || (text(body.project?.web_url) && `${body.project.web_url}/-/pipelines/${text(id)}`)
  return `${head(body.project, body.user?.name)} pipeline ${link(`#${text(id)} ${text(ref)}`, address)}: ${text(status)}`
}

const MERGE_WORDS: Record<string, string> = {
  open: 'opened',
  reopen: 'reopened',
  close: 'closed',
  merge: 'merged',
  update: 'updated',
  approved: 'approved',
  unapproved: 'withdrew the approval of',
}

function mergeRequest(body: Loose): string {
  const { action, title, url } = body.object_attributes ?? {}
  const word = MERGE_WORDS[text(action)] ?? 'changed'
  return `${head(body.project, body.user?.name)} ${word} merge request ${link(title, url)}`
}

function note(body: Loose): string {
  const { note: comment, url, noteable_type } = body.object_attributes ?? {}
  const about = body.merge_request?.title ?? body.issue?.title ?? body.commit?.title ?? text(noteable_type)
  return `${head(body.project, body.user?.name)} commented on ${link(about, url)}\n${text(comment)}`
}

const KINDS: Record<string, (body: Loose) => string> = {
  push,
  tag_push: push,
  pipeline,
  merge_request: mergeRequest,
  note,
}

/** `Merge Request Hook` and `merge_request` are the same. */
function kindOf(body: InboundBody, header: string | undefined): string {
  const named = header
    ?.replace(/ hook$/i, '')
    .trim()
    .toLowerCase()
    .replaceAll(' ', '_')
  return named && named in KINDS ? named : text(body.object_kind)
}

/** What happened in a repository, as text; undefined for events that are not shown. */
export function gitlabText(body: InboundBody, header: string | undefined): string | undefined {
  const kind = kindOf(body, header)
  return Object.hasOwn(KINDS, kind) ? KINDS[kind]?.(body) : undefined
}
