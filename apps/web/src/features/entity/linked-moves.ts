import { type Column, columnsOf } from '@cadmus/model/columns'
import type { OnReferences } from '@cadmus/model/detach'
import { addColumnsEdits, placeColumnsEdits, removeColumnsEdits } from '@cadmus/model/edits/copy-columns'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { addConstraintsEdits, movingConstraints } from '@cadmus/model/edits/constraint-edits'
import { attributeTexts } from '@cadmus/model/messages/attributes'
import { changesQuery } from '../../api/edit-log.ts'
import { readChanges } from '../../api/entity-states.ts'
import { isGone } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { scopeText } from '../../api/scope.ts'
import { entitiesToEdit } from '../../drafts/documents-to-edit.ts'
import { openToEdit } from '../../drafts/open-to-edit.ts'
import { type LoggedStates, reversalOf, savedStacks, savedSteps, type States } from '../../drafts/saved-steps.ts'
import { derive, type Direction, hasUnsavedStep } from '../../drafts/take-back.ts'
import { draftKey, type DraftKey, type DraftPlace, placeOf } from '../../drafts/draft-key.ts'
import { causeOf, isOfSaved, originOf } from '../../drafts/moved-steps.ts'
import { asOneMove, isOneMove } from '../../drafts/moving.ts'
import { notify } from '../../ui/notices.ts'
import type { EntityDraft } from '../../drafts/entity-draft.ts'
import { entityStore } from '../../drafts/entity-store.ts'

// A column that was moved between two entities, not saved yet, is an added column in one draft and a removed one in the
// other. Both are recognised by its uid, so that the connection survives reloads.

/** The draft of another entity, with the columns moved between both. */
export type MovePartner = { key: DraftKey; draft: EntityDraft; uids: readonly string[] }

export type Partners = { sources: readonly MovePartner[]; targets: readonly MovePartner[] }

/** The drafts that must be saved with this one: those that its added columns come from, and those that its removed ones went to. */
export function movePartners({ base, content }: EntityDraft, { id, version, scope }: DraftPlace): Partners {
  const others = version === undefined ? othersOf(draftKey(id, undefined, scope)) : []
  const moved = (from: Lists, to: Lists, back: 'base' | 'content', forth: 'base' | 'content') => {
    const uids = missingFrom(from, to)
    return others.flatMap(other => {
      const common = uids.intersection(missingFrom(other.draft[back], other.draft[forth]))
      return common.size > 0 ? [{ ...other, uids: [...common] }] : []
    })
  }
  return { sources: moved(content, base, 'base', 'content'), targets: moved(base, content, 'content', 'base') }
}

/** The edits of a partner that belong to the move; its other changes stay unsaved. */
export function editsOfMove(
  { draft: { base, content }, uids }: MovePartner,
  onReferences?: OnReferences,
): EntityEdit[] {
  const gone = missingFrom(base, content)
  if (uids.every(uid => gone.has(uid))) return removeColumnsEdits(base, uids, onReferences)
  const constraints = addConstraintsEdits(
    base,
    movingConstraints(
      content,
      columnsOf(content).filter(({ uid }) => uids.includes(uid)),
    ),
  )
  return [...placeColumnsEdits(base, content, uids).map(withoutTraits), ...constraints]
}

/** Requests cannot set traits; the server restores them from the other entity. */
function withoutTraits(edit: EntityEdit): EntityEdit {
  if (edit.kind === 'addAttributes')
    return { ...edit, added: edit.added.map(one => ({ ...one, item: { ...one.item, traits: [] } })) }
  if (edit.kind !== 'addRelationships') return edit
  return { ...edit, added: edit.added.map(one => ({ ...one, item: { ...one.item, traits: [] } })) }
}

/** The saved move that the edits take back or make again, if that is all that the partner's draft does. */
export function causeOfMove({ draft: { base, content, done } }: MovePartner, edits: readonly EntityEdit[]) {
  const { apply, compare } = entityStore.drafts.adapter
  const isAll = compare(apply(base, edits), content).count === 0
  const cause = causeOf(done)
  return isAll && cause?.kind !== 'restore' ? cause : undefined
}

/** Prepares to take back a saved move in the other entities, open or not. */
export async function takeMoveTogether(
  key: DraftKey,
  states: LoggedStates<Lists>,
  direction: Direction,
): Promise<readonly (() => void)[]> {
  const { scope } = placeOf(key)
  const moved = movedBetween(states)
  const others = moved.size === 0 ? [] : states.others.filter(({ document }) => document.kind === 'entity')
  await readChanges(
    others.map(({ document: { id }, sequence }) => ({ id, sequence })),
    scope,
  )
  const takes = others.map(async ({ document: { id }, sequence, description }) => {
    const otherKey = draftKey(id, undefined, scope)
    const own = await entityStore.statesOf(otherKey, { sequence, last: sequence })
    if (!own || movedBetween(own).isDisjointFrom(moved)) return []
    const [editable] = await entitiesToEdit([id])
    if (!editable) return []
    const changes = await queryClient.fetchQuery(changesQuery('entity', id, editable.etag, scope))
    return () => {
      openToEdit(editable, { hidden: true })
      const open = entityStore.get(otherKey)
      if (!open || open.state === 'deleted') return
      const next = savedStacks(savedSteps(changes), open.draft.done)[direction].at(-1)
      // Above other steps it is a change like any other.
      if (next?.sequence === sequence && !hasUnsavedStep(open, direction))
        derive(entityStore, otherKey, direction, { description, sequence, states: own })
      else entityStore.edit(otherKey, now => reversalOf(entityStore.drafts.adapter, own, now))
    }
  })
  const reversals = await Promise.all(
    takes.map(async take =>
      take.catch((failure: unknown) => {
        // The server leaves out an entity that no longer exists.
        if (isGone(failure)) return []
        throw failure
      }),
    ),
  )
  return reversals.flat()
}

function movedBetween({ before, after }: States<Lists>): Set<string> {
  return uidsOf(before).symmetricDifference(uidsOf(after))
}

/** Removes columns from one draft and adds them, perhaps under other names, to another, with the groups and checks that are theirs alone: one step in each. */
export function moveColumns(
  source: DraftKey,
  target: DraftKey,
  columns: readonly Column[],
  onReferences?: OnReferences,
) {
  const uids = columns.map(({ uid }) => uid)
  const none = { groups: [], checks: [] }
  const constraints = movingConstraints(entityStore.get(source)?.draft.content ?? none, columns)
  asOneMove(() => {
    entityStore.edit(source, content => removeColumnsEdits(content, uids, onReferences))
    entityStore.edit(target, content => [
      ...addColumnsEdits(content, columns),
      ...addConstraintsEdits(content, constraints),
    ])
  })
}

/** Undo, redo and discard of a move in one draft follow in the other, so that a column is never in both or in none. */
export function linkMoves(): void {
  entityStore.state.subscribe(({ open }, { open: before }) => {
    if (isOneMove()) return
    for (const [key, { draft }] of before) {
      const now = open.get(key)?.draft
      if (draft !== now && placeOf(key).version === undefined) follow(key, draft, now)
    }
  })
}

function follow(key: DraftKey, was: EntityDraft, now: EntityDraft | undefined): void {
  const { base } = now ?? was
  // A closed draft loses its unsaved changes.
  const after = now?.content ?? base
  const [gained, lost] = [[...missingFrom(after, was.content)], [...missingFrom(was.content, after)]]
  if (gained.length + lost.length === 0) return
  const saved = uidsOf(base)
  const isSaved = (uid: string) => saved.has(uid)
  const isRedo = now !== undefined && isLastRedone(was, now)
  for (const other of othersOf(key)) {
    const { draft } = other
    const unsaved = missingFrom(draft.content, draft.base)
    const present = uidsOf(draft.content)
    const left = columnsLeft(draft)
    drop(
      other,
      gained.filter(uid => unsaved.has(uid) || (present.has(uid) && !isSaved(uid))),
    )
    restore(
      other,
      lost.filter(uid => !isSaved(uid) && left.has(uid)),
    )
    if (isRedo) redoAddition(other, lost.filter(isSaved))
  }
}

/** Removes columns that are in another draft again. */
function drop(other: Other, uids: readonly string[]): void {
  if (uids.length === 0) return
  const { done, undone } = other.draft
  if (isStepOf(undone.at(-1), { removed: uids })) dispatch(other, { kind: 'redo' })
  else if (isStepOf(done.at(-1), { added: uids })) revert(other)
  else edit(other, content => removeColumnsEdits(content, uids))
}

/** Returns columns that are no longer in another draft. */
function restore(other: Other, uids: readonly string[]): void {
  if (uids.length === 0) return
  const { done, undone } = other.draft
  const columns = columnsLeft(other.draft)
  if (isStepOf(done.at(-1), { removed: uids })) revert(other)
  else if (isStepOf(undone.at(-1), { added: uids })) dispatch(other, { kind: 'redo' })
  else
    edit(other, content =>
      addColumnsEdits(
        content,
        uids.flatMap(uid => columns.get(uid) ?? []),
      ),
    )
}

function redoAddition(other: Other, uids: readonly string[]): void {
  if (uids.length > 0 && isStepOf(other.draft.undone.at(-1), { added: uids })) dispatch(other, { kind: 'redo' })
}

/** Redo reverts a step that takes back a saved change. */
function revert(other: Other): void {
  dispatch(other, { kind: isOfSaved(other.draft.done.at(-1)) ? 'redo' : 'undo' })
}

function dispatch({ key, draft }: Other, event: { kind: 'undo' | 'redo' }): void {
  entityStore.dispatch(key, event)
  notify('info', attributeTexts.moves.followed(draft.content.name))
}

function edit({ key, draft }: Other, edits: (content: EntityDraft['content']) => EntityEdit[]): void {
  entityStore.edit(key, edits)
  notify('info', attributeTexts.moves.followed(draft.content.name))
}

type Other = { key: DraftKey; draft: EntityDraft }

/** The other open drafts of the scope. */
function othersOf(key: DraftKey): Other[] {
  const scope = scopeText(placeOf(key).scope)
  return [...entityStore.state.getState().open].flatMap(([other, { state, draft }]) => {
    const place = placeOf(other)
    const isOther = other !== key && place.version === undefined && scopeText(place.scope) === scope
    return isOther && state !== 'deleted' ? [{ key: other, draft }] : []
  })
}

type Lists = EntityDraft['content']

function uidsOf(content: Lists): Set<string> {
  return new Set(columnsOf(content).map(({ uid }) => uid))
}

function missingFrom(content: Lists, other: Lists): Set<string> {
  return uidsOf(content).difference(uidsOf(other))
}

/** Columns that the draft removes, saved or added by an earlier step. */
function columnsLeft({ base, content, done }: EntityDraft): ReadonlyMap<string, Column> {
  const added = done.flatMap(({ edits }) => edits.flatMap(addedIn))
  const present = uidsOf(content)
  const all = [...added, ...columnsOf(base)].map(column => [column.uid, column] as const)
  return new Map(all.filter(([uid]) => !present.has(uid)))
}

function addedIn(one: EntityEdit): Column[] {
  if (one.kind === 'addAttributes') return one.added.map(({ item }) => item)
  return one.kind === 'addRelationships' ? one.added.map(({ item }) => item) : []
}

function removedIn(one: EntityEdit): readonly string[] {
  return one.kind === 'removeAttributes' || one.kind === 'removeRelationships' ? one.uids : []
}

/** Groups move with their columns, and foreign keys that stay lose those. */
function isOfGroups(one: EntityEdit): boolean {
  if (one.kind === 'changeRelationships')
    return one.changes.every(({ change }) => Object.keys(change).every(field => field === 'alsoBy'))
  return one.kind === 'changeEntity' && Object.keys(one.change).every(field => field === 'groups')
}

/** Whether a step adds or removes exactly these columns, and nothing else. */
function isStepOf(
  step: { edits: readonly EntityEdit[] } | undefined,
  { added = [], removed = [] }: { added?: readonly string[]; removed?: readonly string[] },
): boolean {
  if (!step) return false
  const isMove = step.edits.every(one => addedIn(one).length > 0 || removedIn(one).length > 0 || isOfGroups(one))
  const isSame = (one: readonly string[], two: readonly string[]) =>
    one.length === two.length && new Set(one).symmetricDifference(new Set(two)).size === 0
  const additions = step.edits.flatMap(addedIn).map(({ uid }) => uid)
  return isMove && isSame(additions, added) && isSame(step.edits.flatMap(removedIn), removed)
}

function isLastRedone(was: EntityDraft, now: EntityDraft): boolean {
  const [step, last] = [was.undone.at(-1), now.done.at(-1)]
  return step !== undefined && last !== undefined && originOf(step) === originOf(last)
}
