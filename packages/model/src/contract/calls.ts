import { adminContentCalls, adminEntityCalls, adminManifestCalls } from './admin-documents.ts'
import { adminOrganisationCalls } from './admin-organisation.ts'
import { attributeCalls, entityCalls, entityVersionCalls, relationshipCalls } from './entity.ts'
import { auditCalls } from './audit.ts'
import { editCalls } from './edits.ts'
import { instanceCalls } from './instance.ts'
import {
  manifestCalls,
  manifestConfigurationCalls,
  manifestMembersCalls,
  manifestVersionCalls,
  nameConflictCalls,
} from './manifest.ts'
import { manifestTransferCalls } from './manifest-transfer.ts'
import { navigatorCalls } from './navigator.ts'
import { onboardingCalls, ssoCalls } from './sso.ts'
import { packageCalls } from './package.ts'
import { referenceCalls } from './references.ts'
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
