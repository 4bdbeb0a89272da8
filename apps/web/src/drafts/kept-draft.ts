import * as z from 'zod'
import type { Draft, Drafts, Loaded } from './draft.ts'
import type { Step } from './moved-steps.ts'
import type { OpenDraft, Saved, SentSave } from './open-draft.ts'

/** A draft as stored in the browser: its base state and the steps on it. */
export type KeptDraft<C, E> = {
  base: C
  etag: string
  steps: Step<E>[]
  /** Time of the last step, ISO 8601. */
  at: string
  /** The base differs from the state of its tag (see `Draft.contested`). */
  contested?: true | undefined
  /** Secrets were entered but not stored. */
  withheld?: boolean | undefined
  /** Location of the document; absent in drafts of earlier releases. */
  place?: KeptPlace | undefined
  /** The save that was pending when this was stored, and the number of leading steps that it sent. */
  unanswered?: KeptSave<E> | undefined
}

/** `undone`: steps that the save sent after those and that were undone since. */
type KeptSave<E> = { saveId: string; steps: number; undone?: Step<E>[] | undefined }

/** What is known of a document besides its content, in case the server no longer has it. */
export type KeptPlace = { path: string; version: string; manifest: { id: number; name: string } | null }

const placeSchema = z.object({
  path: z.string(),
  version: z.string(),
  manifest: z.object({ id: z.number().int(), name: z.string() }).nullable(),
})

/** Schema of a stored draft. `upgrade`: converts base contents of earlier formats. */
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
    unanswered: z
      .object({ saveId: z.string(), steps: z.number().int().nonnegative(), undone: steps.optional() })
      .optional(),
  })
}

export type WithoutSecrets<C, E> = (whole: { base: C; steps: Step<E>[] }) => {
  base: C
  steps: Step<E>[]
  withheld: boolean
}

/** Whether leaving the page would lose something: unsaved changes, or the undo of a save with unknown outcome. */
export function isToKeep<S, C, E>(
  { law }: Drafts<S, C, E>,
  { draft, unanswered }: Pick<OpenDraft<S & Saved, C, E>, 'draft' | 'unanswered'>,
): boolean {
  if (draft.changes > 0) return true
  return unanswered !== null && law.compare(unanswered.sent.content, draft.content).count > 0
}

/** The parts of a draft that may be stored. */
export function keptFrom<S, C, E>(
  draft: Draft<S, C, E>,
  at: string,
  withoutSecrets: WithoutSecrets<C, E> = whole => ({ ...whole, withheld: false }),
  { place, unanswered = null }: { place?: KeptPlace; unanswered?: SentSave<S, C, E> | null } = {},
): KeptDraft<C, E> {
  const { base, etag, done, contested } = draft
  const steps = done.map(({ name, edits }) => ({ name, edits }))
  const { withheld, ...kept } = withoutSecrets({ base, steps })
  const lost = unanswered && keptSave(draft, unanswered, kept.steps.length, withoutSecrets)
  return {
    ...kept,
    etag,
    at,
    ...(contested ? { contested } : {}),
    ...(withheld ? { withheld } : {}),
    ...(place ? { place } : {}),
    ...(lost ? { unanswered: lost } : {}),
  }
}

/** Returns null if the sent steps cannot be identified among the stored ones, which omit steps with secrets. */
function keptSave<S, C, E>(
  { base, done }: Draft<S, C, E>,
  { sent, saveId }: SentSave<S, C, E>,
  kept: number,
  withoutSecrets: WithoutSecrets<C, E>,
): KeptSave<E> | null {
  if (base !== sent.base) return null
  const firstOther = sent.done.findIndex((step, index) => done[index] !== step)
  if (firstOther === -1 && sent.done.length === done.length) return { saveId, steps: kept }
  if (kept !== done.length) return null
  if (firstOther === -1) return { saveId, steps: sent.done.length }
  const undone = sent.done.slice(firstOther).map(({ name, edits }) => ({ name, edits }))
  return withoutSecrets({ base, steps: undone }).withheld ? null : { saveId, steps: firstOther, undone }
}

/** Merges a stored draft onto the server's current state, like a stale save. */
export function restoredFrom<S, C, E>(
  drafts: Drafts<S, C, E>,
  kept: KeptDraft<C, E>,
  saved: S,
  etag: string,
): Draft<S, C, E> {
  const before = drafts.replay(startOf(kept, saved), kept.steps)
  return kept.etag === etag ? drafts.seenAgain(before, saved) : drafts.rebased(before, saved, etag)
}

/** Restores a draft whose save was stored as `answer`: only later steps and undos are unsaved. */
export function restoredAfterSave<S, C, E>(
  drafts: Drafts<S, C, E>,
  kept: KeptDraft<C, E>,
  { steps, undone = [] }: KeptSave<E>,
  answer: Loaded<S>,
  newest: Loaded<S>,
): Draft<S, C, E> {
  const both = drafts.replay(startOf(kept, answer.saved), kept.steps.slice(0, steps))
  const sent = drafts.replay(both, undone)
  const now = drafts.replay(undone.length === 0 ? sent : both, kept.steps.slice(steps))
  const after = drafts.afterSave(now, sent, answer.saved, answer.etag)
  if (answer.etag === newest.etag) return drafts.seenAgain(after, newest.saved)
  return drafts.rebased(after, newest.saved, newest.etag)
}

function startOf<S, C, E>({ base, etag, contested }: KeptDraft<C, E>, saved: S): Draft<S, C, E> {
  const start = { saved, base, etag, done: [], undone: [], content: base, changes: 0, ahead: null }
  return contested ? { ...start, contested } : start
}
