import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ROOT } from './processes.ts'

/**
 * The slowest test files, slowest first. In a fresh clone vitest knows no durations and sorts by size, so that a slow
 * file might start last and run alone.
 */
export const LONGEST: readonly string[] = [
  'apps/server/src/crash.proof.test.ts',
  'packages/formats/src/real-folders.proof.test.ts',
  'packages/sql/src/ddl.proof.test.ts',
  'packages/sql/src/queries/queries.proof.test.ts',
  'apps/instance/src/engine/kill.proof.test.ts',
  'packages/sql/src/defaults.proof.test.ts',
  'packages/sql/src/instance-schema.proof.test.ts',
  'apps/instance/src/protocols/hostile.proof.test.ts',
  'apps/instance/src/packages/kill-changing.proof.test.ts',
  'packages/sql/src/alter.proof.test.ts',
  'apps/instance/src/packages/kill.proof.test.ts',
  'apps/instance/src/packages/swaps.proof.test.ts',
  'apps/instance/src/protocols/protocols.proof.test.ts',
  'packages/formats/src/cdm/read.proof.test.ts',
  'packages/formats/src/cdm/write.proof.test.ts',
  'packages/formats/src/data-model/data-model.proof.test.ts',
  'packages/formats/src/ddl/dumps.proof.test.ts',
  'packages/formats/src/ddl/mutations.proof.test.ts',
  'packages/formats/src/ddl/own-scripts.proof.test.ts',
  'packages/sql/src/queries/parsers.proof.test.ts',
  'packages/formats/src/real-folders.test.ts',
  'apps/server/src/store-outage.test.ts',
  'apps/server/src/jobs/two-servers.test.ts',
  'apps/server/src/jobs/import-crash.test.ts',
  'apps/instance/src/engine/large-histories.test.ts',
  'apps/instance/src/packages/new-versions.test.ts',
  'apps/instance/src/http/cancelled-updates.test.ts',
  'apps/server/src/organisation-separation.test.ts',
  'apps/instance/src/packages/locked-tables.test.ts',
  'packages/sql/src/parsers.test.ts',
  'packages/sql/src/engines.test.ts',
  'apps/server/src/http/answer-limiter.test.ts',
  'apps/server/src/authorisation.test.ts',
  'apps/server/src/hostile/uploads.test.ts',
  'apps/server/src/other-organisation.test.ts',
  'apps/server/src/hostile/races.test.ts',
  'apps/server/src/hostile/deletion-races.test.ts',
  'apps/server/src/store/entity-search.test.ts',
  'apps/server/src/hostile/texts.test.ts',
  'apps/instance/src/engine/large-answers.test.ts',
  'apps/server/src/full-disk.test.ts',
  'apps/instance/src/http/unread.test.ts',
  'apps/server/src/hostile/large.test.ts',
  'apps/instance/src/protocols/rest-options.test.ts',
  'apps/instance/src/packages/replacement.test.ts',
  'apps/instance/src/packages/packages.test.ts',
  'apps/server/src/main.test.ts',
  'apps/instance/src/http/cancelled-reads.test.ts',
  'apps/server/src/hostile/odd-models.test.ts',
  'packages/formats/src/library.test.ts',
  'apps/server/src/routes/entity-flat-lists.test.ts',
  'apps/server/src/routes/put-of-get.test.ts',
  'apps/server/src/routes/manifest-long-waits.test.ts',
  'testing/src/children.test.ts',
  'packages/sql/src/mysql.test.ts',
  'apps/server/src/routes/entity-references.test.ts',
  'apps/server/src/jobs/garbage-collection.test.ts',
  'apps/server/src/jobs/import-limits.test.ts',
  'apps/server/src/routes/package-builds.test.ts',
  'apps/server/src/routes/packages.test.ts',
  'apps/server/src/routes/package-too-many-files.test.ts',
  'limits/cdm-shapes.test.ts',
  'limits/frozen-store.test.ts',
  'limits/held-requests.test.ts',
  'limits/sql-texts.test.ts',
  'limits/cdm-write.test.ts',
  'journeys/accessibility.test.ts',
  'journeys/drafts-of-pages.test.ts',
  'journeys/administration.test.ts',
  'journeys/entity-dialogs.test.ts',
  'journeys/configuration.test.ts',
  'journeys/json-tab.test.ts',
  'journeys/blueprint-generate.test.ts',
  'journeys/tours.test.ts',
  'journeys/tree.test.ts',
  'journeys/late-answers.test.ts',
  'journeys/packages-built.test.ts',
  'journeys/admin-documents.test.ts',
  'journeys/manifest-document.test.ts',
  'journeys/session.test.ts',
  'journeys/admin-tree.test.ts',
  'journeys/export-cdm.test.ts',
  'journeys/aggregate-queries.test.ts',
  'journeys/wizard-keys.test.ts',
  'journeys/organisations.test.ts',
  'journeys/blueprint.test.ts',
  'journeys/messages-of-success.test.ts',
  'journeys/workspace.test.ts',
  'journeys/locked.test.ts',
  'journeys/by-keyboard.test.ts',
  'journeys/messages-of-failures.test.ts',
  'journeys/admin-dialogs.test.ts',
  'journeys/unconfirmed-input.test.ts',
  'journeys/admin-build.test.ts',
  'journeys/import-kinds.test.ts',
  'journeys/packages-upload.test.ts',
  'journeys/audit-logs.test.ts',
  'journeys/configuration-drafts.test.ts',
  'journeys/blueprint-wizard.test.ts',
  'journeys/states.test.ts',
  'journeys/publish.test.ts',
]

/** The listed files first, then all others in their order. */
export function longestFirst<T extends { readonly moduleId: string }>(files: readonly T[]): T[] {
  const rankOf = ({ moduleId }: T): number => {
    const rank = LONGEST.indexOf(relative(ROOT, moduleId))
    return rank < 0 ? LONGEST.length : rank
  }
  return files.toSorted((one, other) => rankOf(one) - rankOf(other))
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files))
  }
}
