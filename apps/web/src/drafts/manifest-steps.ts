import type { EntityContent } from '@cadmus/model/entity'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { historyTexts } from '@cadmus/model/messages/history'
import { sheetTexts } from '@cadmus/model/messages/sheet'
import { type ManifestChange, manifestChangesQuery } from '../api/edit-log.ts'
import { type EntityChange, readEntityStates } from '../api/entity-states.ts'
import { isGone } from '../api/error.ts'
import { queryClient } from '../api/query-client.ts'
import { currentScope, scopeText } from '../api/scope.ts'
import { notify } from '../ui/notices.ts'
import { minuteOf } from '../ui/timestamp.ts'
import { tabIdOf } from '../workbench/documents.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { configurationStore } from './configuration-store.ts'
import { configurationToEdit, entitiesToEdit } from './documents-to-edit.ts'
import { type DraftKey, draftKey, placeOf } from './draft-key.ts'
import { type Editable, openToEdit } from './open-to-edit.ts'
import { entityStore } from './entity-store.ts'
import { inTurn } from './in-turn.ts'
import type { OpenDraft, Saved } from './open-draft.ts'
import type { OpenDrafts } from './open-drafts.ts'
import type { SavedDocument } from './save-all.ts'
import { runOf } from './save-run.ts'
import { type LoggedStates, savedStacks, savedSteps, type SavedStep } from './saved-steps.ts'
import {
  type Direction,
  directionBack,
  hasUnsavedStep,
  isOfRun,
  type KnownStep,
  preparedStep,
  takeLastSave,
  takesSaved,
  takeStep,
} from './take-back.ts'

/** A manifest with the entities that it lists. */
export type OfManifest = { id: number; entityPaths: readonly { id: number }[] }

/** The next step of a document. `order`: of all next steps, the one with the largest is taken first. */
type NextStep = {
  /** Kind and key of the document. */
  of: string
  name: string
  /** The document that the step is in. */
  title: string
  order: readonly [isUnsaved: number, place: number]
  /** Of a saved step: the change or the action of the user that it belongs to. */
  saved: (SavedStep & { entity: number | null }) | undefined
  take: () => Promise<boolean>
  /** Reads what it needs. The function takes it at once, or returns false. */
  prepare: () => Promise<() => boolean>
  /** Of the same document, after others have been taken. */
  now: () => NextStep | undefined
  /** Once taken: whether nothing of it was left to change. */
  isSkipped: () => boolean
  /** Whether its document has unsaved changes. */
  isUnsaved: () => boolean
}

/** Saved steps of entities that have been read, by id. */
type Known = ReadonlyMap<number, KnownStep<EntityContent>>

/**
 * The next step of the user in the documents of a manifest: in its entities and its configuration, unsaved or saved, by this page or an earlier
 * one. Undo takes the newest one first, redo the one that was undone last.
 */
export function nextInManifest(
  manifest: OfManifest,
  changes: readonly ManifestChange[],
  direction: Direction,
): NextStep | undefined {
  return nextSteps(manifest, changes, direction)[0]
}

/** Of each document the next step, in their order. */
function nextSteps(
  manifest: OfManifest,
  changes: readonly ManifestChange[],
  direction: Direction,
  known: Known = new Map(),
): NextStep[] {
  const logs = Map.groupBy(changes, ({ document }) => `${kindOf(document.kind)} ${document.id}`)
  const log = (kind: string, id: number) => logs.get(`${kind} ${id}`) ?? []
  const logged = changes.flatMap(({ document }) => (kindOf(document.kind) === 'entity' ? [document.id] : []))
  const entities = new Set([...manifest.entityPaths.map(({ id }) => id), ...logged])
  const open = openIds()
  const steps = [
    ...[...entities].flatMap(id =>
      open.has(id) || logs.has(`entity ${id}`) ? nextOfEntity(id, log('entity', id), direction, known) : [],
    ),
    ...nextOf(configurationStore, manifest.id, log('configuration', manifest.id), direction, {
      read: async () => configurationToEdit(manifest.id),
    }),
  ]
  const isRecent = ({ of }: NextStep) => Number(direction === 'redo' && undoneHere.at(-1)?.includes(of) === true)
  return steps.toSorted((a, b) => isRecent(b) - isRecent(a) || b.order[0] - a.order[0] || b.order[1] - a.order[1])
}

function nextOfEntity(id: number, changes: readonly ManifestChange[], direction: Direction, known: Known): NextStep[] {
  const read = async () => (await entitiesToEdit([id]))[0]
  return nextOf(entityStore, id, changes, direction, { read, known: () => known.get(id) })
}

/** The documents in which this page has undone steps by these commands, by step, the last one last. */
const undoneHere: (readonly string[])[] = []

/** Whether a step belongs to the same step of the user as the first one. */
function isSameStep({ of, saved }: NextStep, first: NextStep, direction: Direction): boolean {
  const group = direction === 'redo' ? undoneHere.at(-1) : undefined
  if (group?.includes(first.of)) return group.includes(of)
  return saved !== undefined && first.saved !== undefined && isOfSameSave(saved, first.saved)
}

type OfSave = Pick<SavedStep, 'changeId' | 'run'>

function isOfSameSave(one: OfSave, other: OfSave): boolean {
  return one.changeId === other.changeId || (one.run !== null && one.run === other.run)
}

function note(taken: readonly string[], direction: Direction): void {
  if (direction === 'undo') undoneHere.push(taken)
  else if (undoneHere.at(-1)?.some(of => taken.includes(of))) undoneHere.pop()
  else undoneHere.length = 0
}

function kindOf(kind: string): string {
  return kind === 'configuration' ? kind : 'entity'
}

/** The entities with an open draft in the present scope. */
function openIds(): ReadonlySet<number> {
  const within = scopeText(currentScope())
  const places = [...entityStore.state.getState().open.keys()].map(placeOf)
  return new Set(places.flatMap(({ id, scope }) => (scopeText(scope) === within ? [id] : [])))
}

type OfDocument<S extends Saved, C, E> = {
  read: () => Promise<Editable<S, C, E> | undefined>
  known?: () => KnownStep<C> | undefined
}

function nextOf<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  id: number,
  changes: readonly ManifestChange[],
  direction: Direction,
  document: OfDocument<S, C, E>,
): NextStep[] {
  const key = draftKey(id, undefined)
  const open = store.get(key)
  if (open?.state === 'deleted') return []
  const common = {
    of: `${store.kind} ${key}`,
    title: open ? store.title(open.draft.saved) : (changes[0]?.document.name ?? ''),
    now: () => nextOf(store, id, changes, direction, document)[0],
    isUnsaved: () => store.isUnsaved(key),
  }
  if (open && hasUnsavedStep(open, direction)) return [{ ...common, ...unsavedStep(store, key, open, direction) }]
  const step =
    open && !takesSaved(open) ? undefined : savedStacks(savedSteps(changes), open?.draft.done)[direction].at(-1)
  return step ? [{ ...common, ...savedStep(store, id, step, direction, document) }] : []
}

type OwnPart = Omit<NextStep, 'of' | 'title' | 'now' | 'isUnsaved'>

function unsavedStep<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  key: DraftKey,
  { draft: { done, undone }, changedAt }: OpenDraft<S, C, E>,
  direction: Direction,
): OwnPart {
  const last = done.at(-1)
  const { name = '', cause } = (direction === 'undo' ? last : (undone.at(-1) ?? last)) ?? {}
  const isSaved = direction === 'redo' && cause?.kind === 'undo'
  const place = isSaved ? -cause.sequence : Date.parse(changedAt ?? new Date(0).toISOString())
  const takeNow = () => {
    const open = store.get(key)
    if (!open || !hasUnsavedStep(open, direction)) return false
    store.dispatch(key, { kind: direction })
    return true
  }
  return {
    name,
    order: [isSaved ? 1 : 2, place],
    saved: undefined,
    take: async () => takeStep(store, key, direction),
    prepare: async () => takeNow,
    isSkipped: () => false,
  }
}

function savedStep<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  id: number,
  step: SavedStep,
  direction: Direction,
  { read, known }: OfDocument<S, C, E>,
): OwnPart {
  const key = draftKey(id, undefined)
  return {
    name: historyTexts.saved(step.description, minuteOf(step.at)),
    order: [0, placeOfSaved(step, direction)],
    saved: { ...step, entity: store.kind === 'entity' ? id : null },
    async take() {
      const editable = await read()
      return editable !== undefined && inHidden(editable, () => takeStep(store, key, direction, known?.()))
    },
    async prepare() {
      const states = known?.()
      const editable = states && (await read())
      return editable ? preparedStep(editable, direction, states) : () => false
    },
    isSkipped: () => store.get(key)?.draft.done.at(-1)?.edits.length === 0,
  }
}

/** Takes a step in a document that has no tab, which is dropped again if the user refuses the step. */
async function inHidden<S extends Saved, C, E>(
  document: Editable<S, C, E>,
  takes: () => Promise<boolean>,
): Promise<boolean> {
  const { store, saved } = document
  const wasOpen = store.get(draftKey(saved.id, undefined)) !== undefined
  openToEdit(document, { hidden: true })
  const isTaken = await takes()
  if (!isTaken && !wasOpen) workbench.getState().dropHidden(tabIdOf({ kind: store.kind, id: saved.id }))
  return isTaken
}

/** Saved changes are undone from the newest on, so that the oldest is made again first. */
function placeOfSaved({ sequence, cause }: SavedStep, direction: Direction): number {
  return direction === 'undo' ? sequence : -(cause?.sequence ?? sequence)
}

/** Takes back the last step of the user in a manifest, or makes it again, in all documents that it changed. */
export async function takeInManifest(manifest: OfManifest, direction: Direction): Promise<void> {
  await inTurn(() => take(manifest, direction))
}

async function changesOf(manifest: OfManifest, before?: number): Promise<readonly ManifestChange[]> {
  return queryClient.fetchQuery({ ...manifestChangesQuery(manifest.id, before), staleTime: 0 })
}

/** The log down to below the next step, which may have more changes than are read at first. */
async function withWholeStep(
  manifest: OfManifest,
  newest: readonly ManifestChange[],
  direction: Direction,
): Promise<readonly ManifestChange[]> {
  const saved = nextInManifest(manifest, newest, direction)?.saved
  const pages = [newest]
  for (let page = newest; saved && page.length === limits.editEntries.page; pages.push(page)) {
    const oldest = page.at(-1)
    if (!oldest || !isOfSameSave({ ...oldest, run: runOf(oldest.operationId) }, saved)) break
    page = await changesOf(manifest, oldest.sequence)
  }
  return pages.flat()
}

async function take(manifest: OfManifest, direction: Direction): Promise<void> {
  const newest = await changesOf(manifest)
  const changes = await withWholeStep(manifest, newest, direction)
  const known = new Map<number, KnownStep<EntityContent>>()
  const [first, ...others] = nextSteps(manifest, changes, direction, known)
  if (!first) return notify('info', historyTexts.nothing[direction])
  const steps = [first, ...others.filter(step => isSameStep(step, first, direction))]
  // Read first, so that a failure changes nothing.
  const entities = steps.flatMap(({ saved }) => (saved?.entity ? [{ id: saved.entity, step: saved }] : []))
  const changed = await readEntityStates(
    entities.map(({ id, step: { sequence, last } }) => ({ id, change: { sequence, last } })),
    currentScope(),
  )
  for (const { id, step } of entities) {
    const states = statesOf(changed.get(id)?.change)
    if (states) known.set(id, { step, states })
  }
  const prepared = await Promise.all(steps.map(async step => ({ step, takeNow: await step.prepare() })))
  // One that moved attributes may have been taken together with another.
  const isLeft = (step: NextStep) => {
    const next = step === first ? first : step.now()
    return next !== undefined && (next === first || isSameStep(next, first, direction))
  }
  const taken = prepared.flatMap(({ step, takeNow }) => (isLeft(step) && takeNow() ? [step] : []))
  // Those left may have to be asked about.
  for (const step of steps.filter(one => !taken.includes(one) && isLeft(one))) {
    if (!(await step.take())) break
    taken.push(step)
  }
  if (taken.length === 0) return
  note(
    taken.map(({ of }) => of),
    direction,
  )
  const titles = taken.flatMap(({ title, isSkipped }) => (isSkipped() ? [] : [title]))
  if (titles.length === 0) return
  notify('info', historyTexts.taken(direction, first.name, titles), undefined, {
    isUnsaved: () => taken.some(step => step.isUnsaved()),
  })
}

function statesOf(change: EntityChange | null | undefined): LoggedStates<EntityContent> | undefined {
  const { before, after, others } = change ?? {}
  return before && after && others ? { before, after, others } : undefined
}

/** Takes back the last saved changes of documents, except where there were changes since. */
export async function undoSaves(documents: readonly SavedDocument[]): Promise<void> {
  const within = scopeText(currentScope())
  if (documents.some(({ key }) => scopeText(placeOf(key).scope) !== within))
    return notify('info', messages.locked.organisation)
  const entities = documents.flatMap(({ kind, key }) => (kind === 'entity' ? [placeOf(key).id] : []))
  const changed = await readEntityStates(
    entities.map(id => ({ id, change: 'last' })),
    currentScope(),
  )
  const read = entities.map(async id => entitiesToEdit([id]).catch(unlessGone([])))
  const editables = new Map((await Promise.all(read)).flat().map(editable => [editable.saved.id, editable]))
  const prepared = documents.toReversed().map(async ({ kind, key, run }) => {
    const { id } = placeOf(key)
    const entity = kind === 'entity' ? editables.get(id) : undefined
    if (!entity) {
      if (kind === 'entity') return { takeNow: () => false, take: async () => false }
      const configuration = await configurationToEdit(id)
      return {
        takeNow: () => false,
        take: async () => inHidden(configuration, () => undoSaved(configurationStore, key, run)),
      }
    }
    const known = knownOf(entity.saved, changed.get(id)?.change)
    const isLast = known && isOfRun(known.step, run)
    const takeNow = isLast ? await preparedStep(entity, directionBack(known.step), known) : () => false
    return {
      takeNow: () => !hasSteps(entityStore, key) && takeNow(),
      take: async () => inHidden(entity, () => undoSaved(entityStore, key, run, known)),
    }
  })
  const left = (await Promise.all(prepared)).filter(({ takeNow }) => !takeNow())
  let skipped = 0
  for (const { take: takeAfterQuestion } of left)
    if (!(await takeAfterQuestion().catch(unlessGone(false)))) skipped += 1
  if (skipped > 0) notify('info', sheetTexts.changedSince)
}

/** What stands for a document that was deleted. */
function unlessGone<T>(instead: T): (failure: unknown) => T {
  return failure => {
    if (isGone(failure)) return instead
    throw failure
  }
}

function hasSteps<S extends Saved, C, E>(store: OpenDrafts<S, C, E>, key: DraftKey): boolean {
  return (store.get(key)?.draft.done.length ?? 0) > 0
}

/** Undefined for a change of an older version, which is no step. */
function knownOf(
  { latestVersion }: { latestVersion: string },
  change: EntityChange | null | undefined,
): KnownStep<EntityContent> | undefined {
  const [step] = savedSteps((change?.entries ?? []).filter(({ version }) => version === latestVersion))
  const states = statesOf(change)
  return step?.isEdit && states ? { step, states } : undefined
}

/** False if there were changes since. */
async function undoSaved<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  key: DraftKey,
  run: string | null | undefined,
  known?: KnownStep<C>,
): Promise<boolean> {
  const { done = [] } = store.get(key)?.draft ?? {}
  // Taken back together with another one.
  if (hasSteps(store, key)) return done.every(({ cause }) => cause !== undefined)
  return takeLastSave(store, key, run, known)
}
