import type { IdentityProvider } from '@parley/contract'
import { call } from '../../platform/api.js'
import { Checkbox } from '../../ui/choice.js'
import { TextField } from '../../ui/field.js'
import { Secret } from '../../ui/secret.js'
import { signInWords } from '../../words/sign-in.js'
import { DraftDialog, type DraftFieldsProps, useDraft } from '../draft-dialog.js'
import { GroupRules } from './group-rules.js'
import { changeOf, inputOf, newProvider, type ProviderDraft, readProvider, slugOf } from './provider-draft.js'
import { findProviderFaults } from './provider-faults.js'

interface ProviderDialogProps {
  /** Null for a new one. */
  provider: IdentityProvider | null
  onClose(): void
  onSaved(): void
}

/** Sets an identity provider up. */
export function ProviderDialog({ provider, onClose, onSaved }: ProviderDialogProps) {
  const say = signInWords()
  const keep = (draft: ProviderDraft) =>
    findProviderFaults(() =>
      provider
        ? call('updateIdentityProvider', { params: { id: provider.id }, body: changeOf(draft) })
        : call('createIdentityProvider', { body: inputOf(draft) }),
    )
  const begin = () => (provider ? readProvider(provider) : newProvider())
  const { draft, fields, saving } = useDraft(begin, keep, onSaved)
  const incomplete = [draft.name, draft.slug, draft.issuer, draft.client_id].some(
    (text) => text.trim() === '',
  )
  return (
    <DraftDialog
      title={provider ? say.editOf(provider.name) : say.create}
      saving={saving}
      incomplete={incomplete}
      onClose={onClose}
    >
      <NameFields {...fields} isNew={!provider} />
      <ClientFields {...fields} kept={provider?.has_secret ?? false} />
      <Addresses slug={draft.slug.trim()} provider={provider} />
      <WhoFields {...fields} />
      <GroupRules {...fields} />
    </DraftDialog>
  )
}

type FieldsProps = DraftFieldsProps<ProviderDraft>

function NameFields({ draft, faults, isNew, onChange }: FieldsProps & { isNew: boolean }) {
  const say = signInWords()
  const follows = isNew && draft.slug === slugOf(draft.name)
  return (
    <>
      <TextField
        label={say.name}
        hint={say.nameHint}
        maxLength={100}
        autofocus
        value={draft.name}
        error={faults.name}
        onText={(name) => onChange({ name, ...(follows ? { slug: slugOf(name) } : {}) })}
      />
      {isNew && (
        <TextField
          label={say.slug}
          hint={say.slugHint}
          maxLength={40}
          value={draft.slug}
          error={faults.slug}
          onText={(slug) => onChange({ slug })}
        />
      )}
    </>
  )
}

function ClientFields({ draft, faults, kept, onChange }: FieldsProps & { kept: boolean }) {
  const say = signInWords()
  return (
    <>
      <TextField
        label={say.issuer}
        hint={say.issuerHint}
        type="url"
        maxLength={500}
        value={draft.issuer}
        error={faults.issuer}
        onText={(issuer) => onChange({ issuer })}
      />
      <TextField
        label={say.clientId}
        maxLength={255}
        value={draft.client_id}
        error={faults.client_id}
        onText={(client_id) => onChange({ client_id })}
      />
      <TextField
        label={say.clientSecret}
        hint={kept ? say.secretKept : say.secretNone}
        type="password"
        autocomplete="off"
        maxLength={1000}
        value={draft.client_secret}
        onText={(client_secret) => onChange({ client_secret })}
      />
      <TextField
        label={say.scopes}
        hint={say.scopesHint}
        value={draft.scopes}
        error={faults.scopes}
        onText={(scopes) => onChange({ scopes })}
      />
    </>
  )
}

/** What is registered at the provider; the server knows its own address best. */
function Addresses({ slug, provider }: { slug: string; provider: IdentityProvider | null }) {
  const say = signInWords()
  if (slug === '') return null
  const base = `${location.origin}/sign-in/oidc/${slug}`
  const copying = { copyLabel: say.copy, copiedText: say.copied }
  return (
    <>
      <Secret label={say.redirect} value={provider?.redirect_uri ?? `${base}/callback`} {...copying} />
      <Secret label={say.logout} value={provider?.logout_uri ?? `${base}/logout`} {...copying} />
    </>
  )
}

function WhoFields({ draft, faults, onChange }: FieldsProps) {
  const say = signInWords()
  return (
    <>
      <Checkbox label={say.enabled} checked={draft.enabled} onChange={(enabled) => onChange({ enabled })} />
      {faults.enabled && (
        <p class="field-error" role="alert">
          {faults.enabled}
        </p>
      )}
      <Checkbox
        label={say.createAccounts}
        checked={draft.create_accounts}
        onChange={(create_accounts) => onChange({ create_accounts })}
      />
      <TextField
        label={say.domains}
        hint={say.domainsHint}
        value={draft.allowed_domains}
        error={faults.allowed_domains}
        onText={(allowed_domains) => onChange({ allowed_domains })}
      />
      <Checkbox
        label={say.trustEmail}
        hint={say.trustEmailHint}
        checked={draft.trust_email}
        onChange={(trust_email) => onChange({ trust_email })}
      />
    </>
  )
}
