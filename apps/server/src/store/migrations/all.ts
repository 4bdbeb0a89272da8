import type { Migration } from 'kysely/migration'
import * as ground from './001-ground.ts'
import * as jobs from './002-jobs.ts'
import * as audit from './003-audit.ts'
import * as flatCost from './004-flat-cost.ts'
import * as references from './005-references.ts'
import * as sessions from './006-sessions.ts'
import * as importReports from './008-import-reports.ts'
import * as unseen from './009-unseen.ts'
import * as attributeNames from './010-attribute-names.ts'
import * as leftBehind from './011-left-behind.ts'
import * as attributeNameIndex from './012-attribute-name-index.ts'
import * as personalTokens from './013-personal-tokens.ts'
import * as memberships from './014-memberships.ts'
import * as onboarding from './015-onboarding.ts'
import * as packages from './016-packages.ts'
import * as saveIds from './017-save-ids.ts'
import * as spentSaves from './018-spent-saves.ts'
import * as requestDigests from './019-save-marks.ts'
import * as organisationUids from './020-organisation-uids.ts'
import * as edits from './021-edits.ts'
import * as diagrams from './022-diagrams.ts'
import * as followingChanges from './023-following-changes.ts'
import * as searchTexts from './024-search-texts.ts'
import * as publications from './025-publications.ts'
import * as importReviews from './026-import-reviews.ts'

/** All migrations by name, in order. A released migration never changes. */
export const migrations: Record<string, Migration> = checkOrder({
  '001-ground': ground,
  '002-jobs': jobs,
  '003-audit': audit,
  '004-flat-cost': flatCost,
  '005-references': references,
  '006-sessions': sessions,
  '008-import-reports': importReports,
  '009-unseen': unseen,
  '010-attribute-names': attributeNames,
  '011-left-behind': leftBehind,
  '012-attribute-name-index': attributeNameIndex,
  '013-personal-tokens': personalTokens,
  '014-memberships': memberships,
  '015-onboarding': onboarding,
  '016-packages': packages,
  '017-save-ids': saveIds,
  '018-spent-saves': spentSaves,
  '019-save-marks': requestDigests,
  '020-organisation-uids': organisationUids,
  '021-edits': edits,
  '022-diagrams': diagrams,
  '023-following-changes': followingChanges,
  '024-search-texts': searchTexts,
  '025-publications': publications,
  '026-import-reviews': importReviews,
})

/**
 * Requires increasing numbers: a store that has run a higher number would reject a lower one added later. Number 7 is
 * unused.
 */
export function checkOrder(entries: Record<string, Migration>): Record<string, Migration> {
  let before = 0
  for (const name of Object.keys(entries)) {
    const number = Number(/^(\d{3})-[a-z-]+$/.exec(name)?.[1] ?? Number.NaN)
    if (!(number > before) || number === 7)
      throw new Error(`The migration ${name} must have an unused number above ${before}.`)
    before = number
  }
  return entries
}
