/**
 * What a test of the connection to an identity provider can find, by code. Names in braces stand for values. Clients show their
 * own words for a code.
 */
export const PROVIDER_FINDINGS = {
  address_answers: 'status {status}',
  address_not_allowed: 'the address cannot be used: {reason}',
  document_found: '{url}',
  document_missing: '{url} answers with status {status}',
  document_not_json: '{url} is not a JSON document',
  issuer_matches: '{issuer}',
  issuer_differs: 'the provider calls itself {issuer}: enter this as its address',
  features_all: 'code flow with PKCE, userinfo, sign-out page',
  features_some: 'code flow with PKCE; without {missing}',
  features_missing: 'the document lacks {missing}',
  features_no_pkce: 'the provider does not support PKCE with S256',
  keys_found: 'keys: {count}',
  keys_missing: '{url} has no keys (status {status})',
  client_known: 'the provider knows the client',
  client_refused: 'the provider refuses the client: {reason}',
  failed: '{reason}',
} as const

export type ProviderFindingCode = keyof typeof PROVIDER_FINDINGS
