import {
  checkReviewed,
  discardReview as discardReviewCall,
  importReviewed as importReviewedCall,
  importReviewedInto as importReviewedIntoCall,
  type ImportReview,
  listExistingEntities,
  listReviewedEntities,
  listReviewFindings,
  reviewImport as reviewImportCall,
  type ReviewedEntity,
} from '@cadmus/model/contract/import-review'
import type { CallInput } from '@cadmus/model/contract/call'
import { callApi } from './client.ts'
import { type ImportChoices, importInput } from './manifests.ts'
import { invalidate, refreshStructure, scoped } from './query-client.ts'
import type { CallOptions } from './send.ts'

/** Reads the file of an import for a review; as `importManifest`. */
export async function reviewImport(file: File, choices: ImportChoices, signal: AbortSignal): Promise<ImportReview> {
  return (await callApi(reviewImportCall, importInput(file, choices), { signal })).review
}

/** Entities that are shown; more would make the dialog slow. All are imported. */
const maxEntities = 20_000

/** The entities of a review, read page by page. */
export function reviewedEntitiesQuery(key: string) {
  const read = async (options: CallOptions) => {
    const all: ReviewedEntity[] = []
    let total = 1
    while (all.length < Math.min(total, maxEntities)) {
      const query = { offset: all.length }
      const page = await callApi(listReviewedEntities, { params: { key }, query }, options)
      total = page.total
      all.push(...page.entities)
      if (page.entities.length === 0) break
    }
    return all
  }
  return { ...scoped(['import-review', key, 'entities'], read), staleTime: Infinity, gcTime: 0 }
}

/** The first findings about an entity; null: about no single one. */
export function reviewFindingsQuery(key: string, entity: number | null) {
  const read = (options: CallOptions) =>
    callApi(listReviewFindings, { params: { key }, query: { entity: entity ?? undefined } }, options)
  return { ...scoped(['import-review', key, 'findings', entity], read), staleTime: Infinity }
}

/** Milliseconds without another decision before the server reads the file again. */
const settled = 400

/** What exports would refuse without these entities. `manifestId`: of an existing manifest that the file goes into. */
export function reviewCheckQuery(key: string, leftOut: ReadonlySet<number>, manifestId: number | undefined) {
  const numbers = [...leftOut].toSorted((a, b) => a - b)
  const read = async (options: CallOptions) => {
    await pause(settled, options.signal)
    return callApi(checkReviewed, { params: { key }, body: { leftOut: numbers, manifestId } }, options)
  }
  return { ...scoped(['import-review', key, 'check', manifestId, numbers], read), staleTime: Infinity, gcTime: 0 }
}

/** Ends early once the answer is no longer requested. */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

export async function importReviewed(
  review: string,
  { key, leftOut }: { key: string; leftOut: readonly number[] },
  signal: AbortSignal,
) {
  const input = { params: { key: review }, body: { key, leftOut: [...leftOut] } }
  const answer = await callApi(importReviewedCall, input, { signal })
  refreshStructure()
  return answer
}

type IntoBody = CallInput<typeof importReviewedIntoCall>['body']

/** The entities of a manifest that those of a review are, and what its enumerations get. */
export function existingEntitiesQuery(key: string, manifestId: number) {
  const read = (options: CallOptions) =>
    callApi(listExistingEntities, { params: { key }, query: { manifestId } }, options)
  return {
    ...scoped(['import-review', key, 'existing', manifestId], read),
    gcTime: 0,
  }
}

export async function importReviewedInto(review: string, id: number, body: IntoBody, signal: AbortSignal) {
  try {
    return await callApi(importReviewedIntoCall, { params: { key: review, id }, body }, { signal })
  } finally {
    refreshStructure()
    void invalidate(['logs'], ['edits'], ['import-review'])
  }
}

export async function discardReview(key: string): Promise<void> {
  await callApi(discardReviewCall, { params: { key } })
}
