import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { historyTexts } from '@cadmus/model/messages/history'
import { sheetTexts } from '@cadmus/model/messages/sheet'
import { type ManifestChange, manifestChangesQuery } from '../api/edit-log.ts'
import { queryClient } from '../api/query-client.ts'
import { currentScope, scopeText } from '../api/scope.ts'
import { notify } from '../ui/notices.ts'
import { minuteOf } from '../ui/timestamp.ts'
import { tabIdOf } from '../workbench/documents.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { configurationStore } from './configuration-store.ts'
import { configurationToEdit, entitiesToEdit } from './documents-to-edit.ts'
import { type DraftKey, draftKey, placeOf } from './draft-key.ts'
import { type Editable, openToEdit } from './edit-draft.ts'
import { entityStore } from './entity-store.ts'
import { inTurn } from './in-turn.ts'
import { isOfSaved } from './moved-steps.ts'
import type { Saved } from './open-draft.ts'
import type { OpenDrafts } from './open-drafts.ts'
import type { SavedDocument } from './save-all.ts'
import { runOf } from './save-run.ts'
import { savedStacks, savedSteps, type SavedStep } from './saved-steps.ts'
import { type Direction, hasUnsavedStep, takeLastSave, takesSaved, takeStep } from './take-back.ts'

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
  saved: OfSave | undefined
  take: () => Promise<boolean>
  /** Once taken: whether nothing of it was left to change. */
  isSkipped: () => boolean
  /** Whether its document has unsaved changes. */
  isUnsaved: () => boolean
}

/**
 * The next step of the user in the documents of a manifest: in its entities and its configuration, unsaved or saved, by this page or an earlier
 * one. Undo takes the newest one first, redo the one that was undone last.
 */
export function nextInManifest(
  manifest: OfManifest,
  changes: readonly ManifestChange[],
  direction: Direction,
): NextStep | undefined {
  const logs = Map.groupBy(changes, ({ document }) => `${kindOf(document.kind)} ${document.id}`)
  const log = (kind: string, id: number) => logs.get(`${kind} ${id}`) ?? []
  const logged = changes.flatMap(({ document }) => (kindOf(document.kind) === 'entity' ? [document.id] : []))
  const entities = new Set([...manifest.entityPaths.map(({ id }) => id), ...logged])
  const open = openIds()
  const steps = [
    ...[...entities].flatMap(id =>
      open.has(id) || logs.has(`entity ${id}`)
        ? nextOf(entityStore, id, log('entity', id), direction, async () => (await entitiesToEdit([id]))[0])
        : [],
    ),
    ...nextOf(configurationStore, manifest.id, log('configuration', manifest.id), direction, async () =>
      configurationToEdit(manifest.id),
    ),
  ]
  const recent = direction === 'redo' ? steps.find(({ of }) => undoneHere.at(-1)?.includes(of)) : undefined
  return recent ?? steps.toSorted((a, b) => b.order[0] - a.order[0] || b.order[1] - a.order[1])[0]
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

function nextOf<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  id: number,
  changes: readonly ManifestChange[],
  direction: Direction,
  read: () => Promise<Editable<S, C, E> | undefined>,
): NextStep[] {
  const key = draftKey(id, undefined)
  const of = `${store.kind} ${key}`
  const open = store.get(key)
  if (open?.state === 'deleted') return []
  const isUnsaved = () => store.isUnsaved(key)
  const title = open ? store.title(open.draft.saved) : (changes[0]?.document.name ?? '')
  if (open && hasUnsavedStep(open, direction)) {
    const { done, undone } = open.draft
    const last = done.at(-1)
    const step = direction === 'undo' ? last : (undone.at(-1) ?? last)
    const { name = '', cause } = step ?? {}
    const isSaved = direction === 'redo' && isOfSaved(step)
    const place = isSaved ? -(cause?.sequence ?? 0) : Date.parse(open.changedAt ?? new Date(0).toISOString())
    const take = async () => takeStep(store, key, direction)
    return [
      { of, name, title, order: [isSaved ? 1 : 2, place], saved: undefined, take, isSkipped: () => false, isUnsaved },
    ]
  }
  if (open && !takesSaved(open)) return []
  const step = savedStacks(savedSteps(changes), open?.draft.done)[direction].at(-1)
  if (!step) return []
  const take = async () => {
    const document = await read()
    return document !== undefined && inHidden(document, () => takeStep(store, key, direction))
  }
  const isSkipped = () => store.get(key)?.draft.done.at(-1)?.edits.length === 0
  const name = historyTexts.saved(step.description, minuteOf(step.at))
  return [{ of, name, title, order: [0, placeOfSaved(step, direction)], saved: step, take, isSkipped, isUnsaved }]
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
  const first = nextInManifest(manifest, changes, direction)
  if (!first) return notify('info', historyTexts.nothing[direction])
  const taken: NextStep[] = []
  let next: NextStep | undefined = first
  while (next && !taken.some(({ of }) => of === next?.of) && (await next.take())) {
    taken.push(next)
    next = nextInManifest(manifest, changes, direction)
    if (next && !isSameStep(next, first, direction)) break
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

/** Takes back the last saved changes of documents, except where there were changes since. */
export async function undoSaves(documents: readonly SavedDocument[]): Promise<void> {
  const within = scopeText(currentScope())
  if (documents.some(({ key }) => scopeText(placeOf(key).scope) !== within))
    return notify('info', messages.locked.organisation)
  let skipped = 0
  for (const { kind, key } of documents.toReversed()) {
    const { id } = placeOf(key)
    const [entity] = kind === 'entity' ? await entitiesToEdit([id]) : []
    const isUndone = entity
      ? await inHidden(entity, () => undoSaved(entityStore, key))
      : await inHidden(await configurationToEdit(id), () => undoSaved(configurationStore, key))
    if (!isUndone) skipped += 1
  }
  if (skipped > 0) notify('info', sheetTexts.changedSince)
}

/** False if there were changes since. */
async function undoSaved<S extends Saved, C, E>(store: OpenDrafts<S, C, E>, key: DraftKey): Promise<boolean> {
  const { done = [] } = store.get(key)?.draft ?? {}
  // Taken back together with another one.
  if (done.length > 0) return done.every(({ cause }) => cause !== undefined)
  return takeLastSave(store, key)
}
