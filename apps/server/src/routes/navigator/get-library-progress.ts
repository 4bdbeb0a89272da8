import { getLibraryProgress } from '@cadmus/model/contract/navigator'
import { handle } from '../../http/route.ts'
import { libraryJob } from '../../library/load-library.ts'

export const getLibraryProgressRoute = handle(getLibraryProgress, async (_input, { context }) => {
  const progress = await context.jobs.progress(libraryJob)
  // The progress of the last load is deleted after a while.
  return progress ?? { state: 'done' as const, done: 0, total: 0, message: '' }
})
