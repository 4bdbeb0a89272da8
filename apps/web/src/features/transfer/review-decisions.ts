import type { ExistingChoice, ExistingEntity, ImportReview } from '@cadmus/model/contract/import-review'
import { reviewLimits } from '@cadmus/model/import-review-limits'
import { reviewDialogTexts as texts, reviewTexts } from '@cadmus/model/messages/import-review'
import { type Existing, type LeftOut, noneExist } from './review-rows.ts'

type Named = { id: number; name: string }

/** What the user decided about a reviewed import. */
export type ReviewDecisions = {
  leftOut: LeftOut
  /** Whether it goes into an existing manifest, and which. */
  intoExisting: boolean
  target: Named | null
  /** What becomes of entities that exist, and of single ones by number. */
  existing: ExistingChoice
  exceptions: ReadonlyMap<number, ExistingChoice>
}

export function firstDecisions(target: Named | null): ReviewDecisions {
  return { leftOut: new Set(), intoExisting: false, target, existing: 'merge', exceptions: new Map() }
}

/** What was decided about an earlier review. `of`: what it read. */
export type Decided = { review: Pick<ImportReview, 'entities'>; decisions: ReviewDecisions; of: readonly unknown[] }

/** The decisions about an earlier review of the same input, whose entities have the same numbers; undefined for another one. */
export function decisionsAgain(
  decided: Decided | null,
  input: readonly unknown[],
  { entities }: Pick<ImportReview, 'entities'>,
): ReviewDecisions | undefined {
  const isSame = decided?.review.entities === entities && decided.of.every((part, at) => part === input[at])
  return isSame ? decided.decisions : undefined
}

/** What becomes of each existing entity. `known`: undefined while it is unknown which exist. */
export function existingOf(
  { intoExisting, existing, exceptions }: ReviewDecisions,
  known: readonly ExistingEntity[] | undefined,
): Existing {
  if (!intoExisting || !known) return noneExist
  return new Map(known.map(({ entity }) => [entity, exceptions.get(entity) ?? existing]))
}

/** Why the import cannot begin; undefined if it can. */
export function whyUndecided(
  { entities }: Pick<ImportReview, 'entities'>,
  { leftOut, intoExisting, target }: ReviewDecisions,
  known: readonly ExistingEntity[] | undefined,
): string | undefined {
  const chosen = entities - leftOut.size
  if (chosen <= 0) return texts.nothingChosen
  if (!intoExisting) return undefined
  if (!target) return texts.noManifest
  if (chosen > reviewLimits.into) return reviewTexts.tooManyInto(reviewLimits.into)
  return known ? undefined : texts.reading
}

/** The body of the import into an existing manifest. */
export function intoBody(
  { leftOut, existing, exceptions }: ReviewDecisions,
  known: readonly ExistingEntity[],
  key: string,
) {
  return {
    key,
    leftOut: [...leftOut],
    existing,
    exceptions: [...exceptions].map(([entity, choice]) => ({ entity, existing: choice })),
    known: known.filter(({ entity }) => !leftOut.has(entity)).map(({ id, tag }) => ({ id, tag })),
  }
}
