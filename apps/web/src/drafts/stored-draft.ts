import * as z from 'zod'
import type { Draft, Drafts, Loaded } from './draft.ts'
import type { Step } from './moved-steps.ts'
import type { OpenDraft, Saved, SentSave } from './open-draft.ts'

/** A draft as stored in the browser: its base state and the steps on it. */
export type StoredDraft<C, E> = {
  base: C
  etag: string
  steps: Step<E>[]
  /** Time of the last step (ISO 8601). */
  at: string
  /** The base differs from the state of its tag (see `Draft.conflicting`). */
  contested?: true | undefined
  /** Secrets were entered but not stored. */
  withheld?: boolean | undefined
  /** Location of the document; absent in drafts of earlier releases. */
  place?: StoredPlace | undefined
  /** The save that was pending when this was stored, and the number of leading steps that it sent. */
  unanswered?: StoredSave<E> | undefined
}

/** `undone`: steps that the save sent after the leading steps and that were undone since. */
type StoredSave<E> = { saveId: string; steps: number; undone?: Step<E>[] | undefined }

/** Properties of a document besides its content, needed if the server no longer has it. */
export type StoredPlace = { path: string; version: string; manifest: { id: number; name: string } | null }

const placeSchema = z.object({
  path: z.string(),
  version: z.string(),
  manifest: z.object({ id: z.number().int(), name: z.string() }).nullable(),
})

/** Schema of a stored draft. `upgrade`: converts base contents of earlier formats. */
export function storedDraftSchema<C, E>(
  upgrade: (stored: unknown) => C,
  edit: z.ZodType<E>,
): z.ZodType<StoredDraft<C, E>> {
  const base = z.unknown().transform((stored, context) => {
    try {
      return upgrade(stored)
    } catch {
      context.addIssue('It is not a content of this kind.')
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

export type WithoutSecrets<C, E> = (content: { base: C; steps: Step<E>[] }) => {
  base: C
  steps: Step<E>[]
  withheld: boolean
}

/** Whether leaving the page would lose unsaved changes, or the undo of a save with unknown outcome. */
export function hasUnsaved<S, C, E>(
  { adapter }: Drafts<S, C, E>,
  { draft, outcomeUnknown }: Pick<OpenDraft<S & Saved, C, E>, 'draft' | 'outcomeUnknown'>,
): boolean {
  if (draft.changes > 0) return true
  return outcomeUnknown !== null && adapter.compare(outcomeUnknown.sent.content, draft.content).count > 0
}

/** The parts of a draft that may be stored. */
export function toStoredDraft<S, C, E>(
  draft: Draft<S, C, E>,
  at: string,
  withoutSecrets: WithoutSecrets<C, E> = content => ({ ...content, withheld: false }),
  { place, outcomeUnknown = null }: { place?: StoredPlace; outcomeUnknown?: SentSave<S, C, E> | null } = {},
): StoredDraft<C, E> {
  const { base, etag, done, conflicting } = draft
  const steps = done.map(({ name, edits }) => ({ name, edits }))
  const { withheld, ...stored } = withoutSecrets({ base, steps })
  const save = outcomeUnknown && toStoredSave(draft, outcomeUnknown, stored.steps.length, withoutSecrets)
  return {
    ...stored,
    etag,
    at,
    ...(conflicting ? { contested: conflicting } : {}),
    ...(withheld ? { withheld } : {}),
    ...(place ? { place } : {}),
    ...(save ? { unanswered: save } : {}),
  }
}

/** Returns null if the sent steps cannot be identified among the stored ones, which omit steps with secrets. */
function toStoredSave<S, C, E>(
  { base, done }: Draft<S, C, E>,
  { sent, saveId }: SentSave<S, C, E>,
  storedSteps: number,
  withoutSecrets: WithoutSecrets<C, E>,
): StoredSave<E> | null {
  if (base !== sent.base) return null
  const firstOther = sent.done.findIndex((step, index) => done[index] !== step)
  if (firstOther === -1 && sent.done.length === done.length) return { saveId, steps: storedSteps }
  if (storedSteps !== done.length) return null
  if (firstOther === -1) return { saveId, steps: sent.done.length }
  const undone = sent.done.slice(firstOther).map(({ name, edits }) => ({ name, edits }))
  return withoutSecrets({ base, steps: undone }).withheld ? null : { saveId, steps: firstOther, undone }
}

/** Merges a stored draft onto the server's current state, like a stale save. */
export function restoredFrom<S, C, E>(
  drafts: Drafts<S, C, E>,
  stored: StoredDraft<C, E>,
  saved: S,
  etag: string,
): Draft<S, C, E> {
  const before = drafts.replay(startOf(stored, saved), stored.steps)
  return stored.etag === etag ? drafts.refreshed(before, saved) : drafts.rebased(before, saved, etag)
}

/** Restores a draft whose save was stored as `answer`: only later steps and undos are unsaved. */
export function restoredAfterSave<S, C, E>(
  drafts: Drafts<S, C, E>,
  stored: StoredDraft<C, E>,
  { steps, undone = [] }: StoredSave<E>,
  answer: Loaded<S>,
  newest: Loaded<S>,
): Draft<S, C, E> {
  const both = drafts.replay(startOf(stored, answer.saved), stored.steps.slice(0, steps))
  const sent = drafts.replay(both, undone)
  const now = drafts.replay(undone.length === 0 ? sent : both, stored.steps.slice(steps))
  const after = drafts.afterSave(now, sent, answer.saved, answer.etag)
  if (answer.etag === newest.etag) return drafts.refreshed(after, newest.saved)
  return drafts.rebased(after, newest.saved, newest.etag)
}

function startOf<S, C, E>({ base, etag, contested }: StoredDraft<C, E>, saved: S): Draft<S, C, E> {
  const start = { saved, base, etag, done: [], undone: [], content: base, changes: 0, incoming: null }
  return contested ? { ...start, conflicting: contested } : start
}
