import { SCOPE_NAMES } from '@parley/contract'
import type { Config } from '../platform/config.js'

/** What a client needs to know to sign somebody in here (RFC 8414). */
export function serverMetadata({ public_url, app_url, api_prefixes }: Config) {
  const oauth = `${public_url}${api_prefixes[0]}/oauth`
  return {
    issuer: new URL(public_url).origin,
    authorization_endpoint: `${app_url}/apps/authorize`,
    token_endpoint: `${oauth}/token`,
    revocation_endpoint: `${oauth}/revoke`,
    device_authorization_endpoint: `${oauth}/device_authorization`,
    response_types_supported: ['code'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    scopes_supported: [...SCOPE_NAMES],
  }
}
