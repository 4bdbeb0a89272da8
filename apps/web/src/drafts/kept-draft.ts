import * as z from 'zod'
import type { Draft, Drafts } from './draft.ts'
import type { Step } from './moved-steps.ts'

/** A draft as the browser keeps it: the state that it is based on and the steps from there. */
export type KeptDraft<C, E> = {
  base: C
  etag: string
  steps: Step<E>[]
  /** When the last step was made, ISO 8601. */
  at: string
  /** Its base is not what its tag names (`Draft.contested`). */
  contested?: true | undefined
  /** Secrets were typed, which are not kept. */
  withheld?: boolean | undefined
  /** Where the document was; what was kept long ago does not say. */
  place?: KeptPlace | undefined
}

/** What is known of a document beside its content, for when the server has it no longer. */
export type KeptPlace = { path: string; version: string; manifest: { id: number; name: string } | null }

const placeSchema = z.object({
  path: z.string(),
  version: z.string(),
  manifest: z.object({ id: z.number().int(), name: z.string() }).nullable(),
})

/** Reads what was kept. `upgrade`: what it is based on may be of a format that was kept long ago. */
export function keptDraftSchema<C, E>(upgrade: (stored: unknown) => C, edit: z.ZodType<E>): z.ZodType<KeptDraft<C, E>> {
  const base = z.unknown().transform((stored, context) => {
    try {
      return upgrade(stored)
    } catch {
      context.addIssue('It is no content of this kind.')
      return z.NEVER
    }
  })
  const steps = z.array(z.object({ name: z.string(), edits: z.array(edit) }))
  return z.object({
    base,
    etag: z.string(),
    steps,
    at: z.string(),
    contested: z.literal(true).optional(),
    withheld: z.boolean().optional(),
    place: placeSchema.optional(),
  })
}

export type WithoutSecrets<C, E> = (whole: { base: C; steps: Step<E>[] }) => {
  base: C
  steps: Step<E>[]
  withheld: boolean
}

/** What of a draft may be kept. */
export function keptFrom<S, C, E>(
  { base, etag, done, contested }: Draft<S, C, E>,
  at: string,
  withoutSecrets: WithoutSecrets<C, E> = whole => ({ ...whole, withheld: false }),
  place?: KeptPlace,
): KeptDraft<C, E> {
  const steps = done.map(({ name, edits }) => ({ name, edits }))
  const { withheld, ...kept } = withoutSecrets({ base, steps })
  return {
    ...kept,
    etag,
    at,
    ...(contested ? { contested } : {}),
    ...(withheld ? { withheld } : {}),
    ...(place ? { place } : {}),
  }
}

/** The draft as it was kept, on top of what the server has now: merged as a stale save is. */
export function restoredFrom<S, C, E>(
  drafts: Drafts<S, C, E>,
  kept: KeptDraft<C, E>,
  saved: S,
  etag: string,
): Draft<S, C, E> {
  const { base, steps } = kept
  const start = { saved, base, etag: kept.etag, done: [], undone: [], content: base, changes: 0, ahead: null }
  const contested = kept.contested ? { contested: kept.contested } : {}
  const before = drafts.replay({ ...start, ...contested }, steps)
  return kept.etag === etag ? drafts.seenAgain(before, saved) : drafts.rebased(before, saved, etag)
}
