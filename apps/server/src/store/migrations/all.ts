import type { Migration } from 'kysely/migration'
import * as ground from './001-ground.ts'
import * as jobs from './002-jobs.ts'
import * as audit from './003-audit.ts'
import * as flatCost from './004-flat-cost.ts'
import * as references from './005-references.ts'
import * as sessions from './006-sessions.ts'
import * as importReports from './008-import-reports.ts'
import * as unseen from './009-unseen.ts'

/** Every migration by its name, in order. A migration that has landed is never changed. */
export const migrations: Record<string, Migration> = {
  '001-ground': ground,
  '002-jobs': jobs,
  '003-audit': audit,
  '004-flat-cost': flatCost,
  '005-references': references,
  '006-sessions': sessions,
  '008-import-reports': importReports,
  '009-unseen': unseen,
}
