import { adminContentCalls } from './admin-content.ts'
import { adminEntityCalls } from './admin-entity.ts'
import { adminManifestCalls } from './admin-manifest.ts'
import { adminOrganisationCalls } from './admin-organisation.ts'
import { attributeCalls } from './attribute.ts'
import { auditCalls } from './audit.ts'
import { editCalls } from './edits.ts'
import { entityVersionCalls } from './entity-version.ts'
import { entityCalls } from './entity.ts'
import { instanceCalls } from './instance.ts'
import { manifestConfigurationCalls } from './manifest-configuration.ts'
import { manifestMembersCalls } from './manifest-members.ts'
import { nameConflictCalls } from './manifest-name-conflicts.ts'
import { manifestTransferCalls } from './manifest-transfer.ts'
import { manifestVersionCalls } from './manifest-version.ts'
import { manifestCalls } from './manifest.ts'
import { navigatorCalls } from './navigator.ts'
import { onboardingCalls } from './onboarding.ts'
import { packageCalls } from './package.ts'
import { referenceCalls } from './references.ts'
import { relationshipCalls } from './relationship.ts'
import { ssoCalls } from './sso.ts'
import { tokenCalls } from './token.ts'

/** Every call of the console's API. */
export const allCalls = {
  ...ssoCalls,
  ...tokenCalls,
  ...onboardingCalls,
  ...navigatorCalls,
  ...manifestCalls,
  ...manifestMembersCalls,
  ...manifestConfigurationCalls,
  ...manifestVersionCalls,
  ...manifestTransferCalls,
  ...nameConflictCalls,
  ...entityCalls,
  ...editCalls,
  ...auditCalls,
  ...attributeCalls,
  ...relationshipCalls,
  ...referenceCalls,
  ...entityVersionCalls,
  ...adminEntityCalls,
  ...adminManifestCalls,
  ...adminOrganisationCalls,
  ...adminContentCalls,
  ...packageCalls,
  ...instanceCalls,
}
export type CallId = keyof typeof allCalls
