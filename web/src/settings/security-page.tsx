import { providerRefusal } from '../account/provider-links.js'
import { IdentitiesSection } from './identities-section.js'
import { SecondFactorSection } from './second-factor-section.js'

/** How the person signs in: the second factor, and identity providers. */
export function SecurityPage() {
  const refusal = providerRefusal()
  return (
    <>
      {refusal && (
        <p class="field-error" role="alert">
          {refusal}
        </p>
      )}
      <SecondFactorSection />
      <IdentitiesSection />
    </>
  )
}
