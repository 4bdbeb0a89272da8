import { causeSchema, editFormat } from '@cadmus/model/edits/edit-forms'
import { isRecord } from '@cadmus/model/equal'
import { readThrough } from '@cadmus/model/stored/nested-forms'
import { ofRecord, readStored, type StoredForm } from '@cadmus/model/stored/stored-form'
import * as z from 'zod'
import type { Draft, Drafts, Loaded } from './draft.ts'
import type { Step } from './moved-steps.ts'
import { operationOf, type OpenDraft, type Operation } from './open-draft.ts'

const draftFormat = 3

/** A draft as stored in the browser: its base state and the steps on it. */
export type StoredDraft<C, E> = {
  format: typeof draftFormat
  base: C
  etag: string
  /** Format of the edits in the steps. */
  editFormat: number
  steps: Step<E>[]
  /** Time of the last step (ISO 8601). */
  at: string
  /** The base differs from the state of its tag (see `Draft.conflicting`). */
  conflicting?: true | undefined
  /** Secrets were entered but not stored. */
  secretsOmitted?: boolean | undefined
  /** Location of the document; absent in drafts of earlier releases. */
  place?: StoredPlace | undefined
  /** The save whose outcome was unknown when this was stored, and the number of leading steps that it sent. */
  outcomeUnknown?: StoredSave<E> | undefined
}

/** `undone`: steps that the save sent after the leading steps and that were undone since. */
type StoredSave<E> = { operationId: string; steps: number; undone?: Step<E>[] | undefined }

/** Properties of a document besides its content, needed if the server no longer has it. */
export type StoredPlace = { path: string; version: string; manifest: { id: number; name: string } | null }

const placeSchema = z.object({
  path: z.string(),
  version: z.string(),
  manifest: z.object({ id: z.number().int(), name: z.string() }).nullable(),
})

const stepsSchema = z.array(z.object({ name: z.string(), edits: z.array(z.unknown()), cause: causeSchema.optional() }))

const draftSchema = z.object({
  format: z.literal(draftFormat),
  base: z.unknown(),
  editFormat: z.number().int(),
  etag: z.string(),
  steps: stepsSchema,
  at: z.string(),
  conflicting: z.literal(true).optional(),
  secretsOmitted: z.boolean().optional(),
  place: placeSchema.optional(),
  outcomeUnknown: z
    .object({ operationId: z.string(), steps: z.number().int().nonnegative(), undone: stepsSchema.optional() })
    .optional(),
})

/** The stored form of drafts of one kind of document. */
export function draftForm<C, E>(
  name: string,
  content: StoredForm<C>,
  edits: StoredForm<E[]>,
): StoredForm<StoredDraft<C, E>> {
  return {
    name,
    format: draftFormat,
    schema: readThrough(draftSchema, ({ base, steps, outcomeUnknown, ...draft }) => {
      const readSteps = (stored: z.infer<typeof stepsSchema>): Step<E>[] =>
        stored.map(step => ({ ...step, edits: readStored(edits, step.edits, draft.editFormat) }))
      return {
        ...draft,
        editFormat: edits.format,
        base: readStored(content, base),
        steps: readSteps(steps),
        ...(outcomeUnknown
          ? { outcomeUnknown: { ...outcomeUnknown, undone: outcomeUnknown.undone && readSteps(outcomeUnknown.undone) } }
          : {}),
      }
    }),
    unnumbered: 1,
    // Format 3 adds the causes of steps.
    upgrades: { 1: ofRecord(withCurrentNames), 2: stored => stored },
  }
}

/** Format 2 has other names, and the format of the edits. */
function withCurrentNames({ contested, withheld, unanswered, ...draft }: Readonly<Record<string, unknown>>): object {
  const { saveId, ...save } = isRecord(unanswered) ? unanswered : {}
  const isFirstFormat = isRecord(draft['base']) && draft['base']['format'] === 1
  return {
    ...draft,
    editFormat: isFirstFormat ? 0 : 1,
    ...(contested === undefined ? {} : { conflicting: contested }),
    ...(withheld === undefined ? {} : { secretsOmitted: withheld }),
    ...(unanswered === undefined ? {} : { outcomeUnknown: { ...save, operationId: saveId } }),
  }
}

export type WithoutSecrets<C, E> = (content: { base: C; steps: Step<E>[] }) => {
  base: C
  steps: Step<E>[]
  secretsOmitted: boolean
}

/** Whether leaving the page would lose unsaved changes, or the undo of a save with unknown outcome. */
export function hasUnsaved<S, C, E>({ adapter }: Drafts<S, C, E>, open: OpenDraft<S, C, E>): boolean {
  const { draft } = open
  if (draft.changes > 0) return true
  const operation = operationOf(open)
  return operation !== null && adapter.compare(operation.sent.content, draft.content).count > 0
}

/** The parts of a draft that may be stored. */
export function toStoredDraft<S, C, E>(
  draft: Draft<S, C, E>,
  at: string,
  withoutSecrets: WithoutSecrets<C, E> = content => ({ ...content, secretsOmitted: false }),
  { place, operation = null }: { place?: StoredPlace; operation?: Operation<S, C, E> | null } = {},
): StoredDraft<C, E> {
  const { base, etag, done, conflicting } = draft
  const steps = done.map(storedStep)
  const { secretsOmitted, ...stored } = withoutSecrets({ base, steps })
  const save = operation && toStoredSave(draft, operation, stored.steps.length, withoutSecrets)
  return {
    format: draftFormat,
    editFormat,
    ...stored,
    etag,
    at,
    ...(conflicting ? { conflicting } : {}),
    ...(secretsOmitted ? { secretsOmitted } : {}),
    ...(place ? { place } : {}),
    ...(save ? { outcomeUnknown: save } : {}),
  }
}

function storedStep<E>({ name, edits, cause }: Step<E>): Step<E> {
  return { name, edits, ...(cause ? { cause } : {}) }
}

/** Returns null if the sent steps cannot be identified among the stored ones, which omit steps with secrets. */
function toStoredSave<S, C, E>(
  { base, done }: Draft<S, C, E>,
  { sent, id: operationId }: Operation<S, C, E>,
  storedSteps: number,
  withoutSecrets: WithoutSecrets<C, E>,
): StoredSave<E> | null {
  if (base !== sent.base) return null
  const firstOther = sent.done.findIndex((step, index) => done[index] !== step)
  if (firstOther === -1 && sent.done.length === done.length) return { operationId, steps: storedSteps }
  if (storedSteps !== done.length) return null
  if (firstOther === -1) return { operationId, steps: sent.done.length }
  const undone = sent.done.slice(firstOther).map(storedStep)
  return withoutSecrets({ base, steps: undone }).secretsOmitted ? null : { operationId, steps: firstOther, undone }
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

function startOf<S, C, E>({ base, etag, conflicting }: StoredDraft<C, E>, saved: S): Draft<S, C, E> {
  const start = { saved, base, etag, done: [], undone: [], content: base, changes: 0, incoming: null }
  return conflicting ? { ...start, conflicting } : start
}
