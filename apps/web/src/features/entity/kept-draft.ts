import { upgradeEntityContent } from '@cadmus/model/content'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { entityEditSchema } from '@cadmus/model/edits/entity-edit'
import * as z from 'zod'
import { openDraft, rebased, replay, type EntityDraft } from './entity-draft.ts'

const stepSchema = z.object({ name: z.string(), edits: z.array(entityEditSchema) })

/** What it is based on may be of a format that was kept long ago. */
const baseSchema = z.unknown().transform((stored, context) => {
  try {
    return upgradeEntityContent(stored)
  } catch {
    context.addIssue('It is no content of an entity.')
    return z.NEVER
  }
})

/** A draft as the browser keeps it: the state that it is based on and the steps from there. */
export const keptDraftSchema = z.object({
  base: baseSchema,
  etag: z.string(),
  steps: z.array(stepSchema),
  /** When the last step was made, ISO 8601. */
  at: z.string(),
})
export type KeptDraft = z.infer<typeof keptDraftSchema>

export function keptFrom({ base, etag, done }: EntityDraft, at: string): KeptDraft {
  return { base, etag, steps: done.map(({ name, edits }) => ({ name, edits: [...edits] })), at }
}

/** The draft as it was kept, on top of what the server has now: merged as a stale save is. */
export function restoredFrom(kept: KeptDraft, saved: EntityAnswer, etag: string): EntityDraft {
  const { base, steps } = kept
  const before = replay({ saved, base, etag: kept.etag, done: [], undone: [], content: base, changes: 0 }, steps)
  return kept.etag === etag ? replay(openDraft(saved, etag), steps) : rebased(before, saved, etag)
}
