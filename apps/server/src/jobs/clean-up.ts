import { removePendingEntities } from '../commands/manifest/remove-pending-entities.ts'
import type { Store } from '../store/database.ts'
import { removeImport } from '../store/import-removal.ts'
import type { HeldJob, JobPlace } from '../store/job.ts'

/** Removes partial results of a job. */
export async function cleanUp(
  store: Store,
  organisationId: number,
  job: HeldJob & Pick<JobPlace, 'kind'>,
): Promise<void> {
  switch (job.kind) {
    case 'import':
    case 'insert':
      return removeImport(store, organisationId, job)
    case 'delete':
      return removePendingEntities(store, organisationId, job, 'stopping')
    case 'library':
    case 'sweep':
    case 'build':
      // Written in one transaction, or repeated by the next job.
      return
  }
}
