import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ROOT } from './processes.ts'

/**
 * The files that take longest, longest first. In a fresh clone vitest knows no durations and goes by the size of files: one of these
 * that begins late runs alone at the end, while the other cores have nothing to do.
 */
export const LONGEST: readonly string[] = [
  'packages/formats/src/real-folders.test.ts',
  'apps/server/src/hostile/uploads.test.ts',
  'apps/server/src/jobs/import-crash.test.ts',
  'apps/server/src/elsewhere.test.ts',
  'packages/sql/src/judged.test.ts',
  'apps/server/src/routes/manifest/import-manifest.test.ts',
  'apps/server/src/full-disk.test.ts',
  'apps/server/src/store-away.test.ts',
  'apps/server/src/jobs/two-servers.test.ts',
  'apps/server/src/main.test.ts',
  'packages/formats/src/library.test.ts',
  'journeys/accessibility.test.ts',
  'journeys/drafts-of-pages.test.ts',
  'journeys/import-kinds.test.ts',
  'journeys/signing-out.test.ts',
  'journeys/administration-member.test.ts',
  'journeys/signing-in.test.ts',
  'journeys/workspace.test.ts',
  'journeys/main-journey.test.ts',
  'journeys/entity-document.test.ts',
  'journeys/manifest-document.test.ts',
  'journeys/drafts.test.ts',
  'journeys/wizards.test.ts',
  'journeys/rename-manifest.test.ts',
]

/** Those that take longest in their order, then the others as they stood. */
export function longestFirst<T extends { readonly moduleId: string }>(files: readonly T[]): T[] {
  const placeOf = ({ moduleId }: T): number => {
    const place = LONGEST.indexOf(relative(ROOT, moduleId))
    return place < 0 ? LONGEST.length : place
  }
  return files.toSorted((one, other) => placeOf(one) - placeOf(other))
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files))
  }
}
