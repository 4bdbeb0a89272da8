import * as adminDocuments from '../contract/admin-documents.ts'
import * as adminOrganisation from '../contract/admin-organisation.ts'
import * as audit from '../contract/audit.ts'
import { getAttributeBiography } from '../contract/biography.ts'
import type { Call } from '../contract/call.ts'
import * as comparison from '../contract/comparison.ts'
import * as diagram from '../contract/diagram.ts'
import {
  configurationEdits,
  entityEdits,
  listManifestChanges,
  manifestEdits,
  readEntityStates,
  saveChanges,
} from '../contract/edits.ts'
import * as entity from '../contract/entity.ts'
import * as impact from '../contract/impact.ts'
import * as instance from '../contract/instance.ts'
import * as manifest from '../contract/manifest.ts'
import * as importReview from '../contract/import-review.ts'
import * as manifestTransfer from '../contract/manifest-transfer.ts'
import * as navigator from '../contract/navigator.ts'
import * as packages from '../contract/package.ts'
import * as problems from '../contract/problems.ts'
import * as publish from '../contract/publish.ts'
import * as references from '../contract/references.ts'
import { getScopeMatrix } from '../contract/scope-matrix.ts'
import { searchAnything } from '../contract/search.ts'
import * as sso from '../contract/sso.ts'
import { readEntityContents } from '../contract/contents.ts'
import { readSqlText } from '../contract/text.ts'
import * as token from '../contract/token.ts'

const declared = {
  ...adminDocuments,
  ...adminOrganisation,
  ...audit,
  ...comparison,
  ...diagram,
  ...entity,
  ...impact,
  ...importReview,
  ...instance,
  ...manifest,
  ...manifestTransfer,
  ...navigator,
  ...packages,
  ...problems,
  ...publish,
  ...references,
  ...sso,
  ...token,
  getScopeMatrix,
  saveEntityEdits: entityEdits.save,
  listEntityEdits: entityEdits.list,
  getEntityEditStates: entityEdits.states,
  settleEntityEdits: entityEdits.settle,
  saveManifestEdits: manifestEdits.save,
  listManifestEdits: manifestEdits.list,
  getManifestEditStates: manifestEdits.states,
  settleManifestEdits: manifestEdits.settle,
  saveConfigurationEdits: configurationEdits.save,
  listConfigurationEdits: configurationEdits.list,
  getConfigurationEditStates: configurationEdits.states,
  settleConfigurationEdits: configurationEdits.settle,
  saveChanges,
  listManifestChanges,
  readEntityStates,
  getAttributeBiography,
  searchAnything,
  readEntityContents,
  readSqlText,
}

type Declared = typeof declared
export type CallId = { [K in keyof Declared]: Declared[K] extends Call ? K : never }[keyof Declared]

const calls: [string, unknown][] = Object.entries(declared).filter(
  ([, value]) => typeof value === 'object' && 'method' in value && 'path' in value,
)

/** Every call of the console's API. */
export const allCalls = Object.fromEntries(calls) as Pick<Declared, CallId>
