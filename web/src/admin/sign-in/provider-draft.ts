import type { GroupRule, IdentityProvider, ProviderChange, ProviderInput } from '@parley/contract'

export interface RuleDraft {
  key: number
  group: string
  role: NonNullable<GroupRule['role']> | ''
  tag: string
}

/** A provider as its form holds it: lists are texts. */
export interface ProviderDraft {
  slug: string
  name: string
  issuer: string
  client_id: string
  client_secret: string
  scopes: string
  groups_claim: string
  rules: readonly RuleDraft[]
  create_accounts: boolean
  allowed_domains: string
  trust_email: boolean
  enabled: boolean
}

let keys = 0

export function newRule(): RuleDraft {
  keys += 1
  return { key: keys, group: '', role: '', tag: '' }
}

export function newProvider(): ProviderDraft {
  return {
    slug: '',
    name: '',
    issuer: '',
    client_id: '',
    client_secret: '',
    scopes: 'email profile',
    groups_claim: 'groups',
    rules: [],
    create_accounts: true,
    allowed_domains: '',
    trust_email: false,
    enabled: true,
  }
}

export function readProvider(provider: IdentityProvider): ProviderDraft {
  const { slug, name, issuer, client_id, groups_claim, create_accounts, trust_email, enabled } = provider
  return {
    ...{ slug, name, issuer, client_id, groups_claim, create_accounts, trust_email, enabled },
    client_secret: '',
    scopes: provider.scopes.join(' '),
    allowed_domains: provider.allowed_domains.join(' '),
    rules: provider.group_rules.map(({ group, role, tag }) => ({
      ...newRule(),
      group,
      role: role ?? '',
      tag: tag ?? '',
    })),
  }
}

/** Words between blanks and commas. */
const listOf = (text: string) => text.split(/[\s,]+/).filter(Boolean)

/** What is sent: an empty secret leaves the kept one as it is. */
export function changeOf(draft: ProviderDraft): ProviderChange {
  const { slug: _, client_secret, scopes, allowed_domains, rules, ...plain } = draft
  return {
    ...plain,
    name: draft.name.trim(),
    issuer: draft.issuer.trim(),
    client_id: draft.client_id.trim(),
    groups_claim: draft.groups_claim.trim() || 'groups',
    scopes: listOf(scopes),
    allowed_domains: listOf(allowed_domains),
    group_rules: rules
      .filter(({ group }) => group.trim() !== '')
      .map(({ group, role, tag }) => ({ group: group.trim(), role: role || null, tag: tag.trim() || null })),
    ...(client_secret === '' ? {} : { client_secret }),
  }
}

export function inputOf(draft: ProviderDraft): ProviderInput {
  return { ...(changeOf(draft) as Omit<ProviderInput, 'slug'>), slug: draft.slug.trim() }
}

/** A short name for a name, as long as nobody has written one. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
}
