import { compareEntities } from '@cadmus/model/compare'
import { upgradeEntityContent } from '@cadmus/model/content'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { OnReferences } from '@cadmus/model/detach'
import { describeChanges } from '@cadmus/model/describe-changes'
import type { EntityEdit } from '@cadmus/model/edits/entity-edit'
import { applyEntityEdits, invertEntityEdits } from '@cadmus/model/edits/entity-edits'
import { entityEditsBetween } from '@cadmus/model/edits/edits-between'
import { primaryKeyOf, type EntityContent } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'
import { mergeEntity, mergeTakingTheirs } from '@cadmus/model/merge'
import { renamedPath } from '@cadmus/model/paths'
import { isPrimaryKey, type TypeAttribute } from '@cadmus/model/type-attribute'

/** What one undo takes back, and what it is called: 'Renamed attribute a to b'. */
export type Step = { name: string; edits: readonly EntityEdit[] }
/** A step that was made, with the edits that take it back. */
type Done = Step & { back: readonly EntityEdit[] }

/** An open entity with what has been changed and not yet saved: the state that the edits are based on, and the edits. */
export type EntityDraft = {
  /** What the server said last: its place, versions and locks. */
  saved: EntityAnswer
  /** The state that `etag` names. */
  base: EntityContent
  etag: string
  done: readonly Done[]
  /** What was taken back; the last one comes again first. */
  undone: readonly Step[]
  /** The base with all that was done. */
  content: EntityContent
  /** In how many places it differs from the base: none, and there is nothing to save. */
  changes: number
}

export function openDraft(saved: EntityAnswer, etag: string): EntityDraft {
  const base = contentOf(saved)
  return { saved, base, etag, done: [], undone: [], content: base, changes: 0 }
}

/** One step more, and nothing to make again. Edits that change nothing are none. */
export function edited(draft: EntityDraft, edits: readonly EntityEdit[]): EntityDraft {
  const after = applyEntityEdits(draft.content, edits)
  const changes = compareEntities(draft.content, after)
  if (changes.length === 0) return draft
  return { ...made(draft, { name: describeChanges(changes), edits }), undone: [] }
}

/** Without the last step, which can be made again. */
export function undone(draft: EntityDraft): EntityDraft {
  const last = draft.done.at(-1)
  if (!last) return draft
  const content = applyEntityEdits(draft.content, last.back)
  return counted({ ...draft, content, done: draft.done.slice(0, -1), undone: [...draft.undone, stepOf(last)] })
}

export function redone(draft: EntityDraft): EntityDraft {
  const next = draft.undone.at(-1)
  return next ? { ...made(draft, next), undone: draft.undone.slice(0, -1) } : draft
}

/** As it is saved; every step can be made again. */
export function discarded(draft: EntityDraft): EntityDraft {
  return { ...draft, content: draft.base, changes: 0, done: [], undone: allUndone(draft) }
}

/** The steps that were discarded, below what was done since; what was made again meanwhile is there once. */
export function broughtBack(draft: EntityDraft, before: EntityDraft): EntityDraft {
  const { base, done: steps } = before
  const known = new Set(steps.map(({ edits }) => edits))
  const isOther = ({ edits }: Step) => !known.has(edits)
  if (draft.base !== base) {
    // On another state they may be there already: only what is still to be made again is.
    const again = draft.undone.filter(step => !isOther(step))
    if (again.length > 0) return again.reduce<EntityDraft>(redone, draft)
    // Opened anew since then it knows nothing of them.
    const whole = replay(rebased(before, draft.saved, draft.etag), draft.done)
    return whole.changes === draft.changes ? draft : whole
  }
  const start = { ...discarded(draft), undone: draft.undone.filter(isOther) }
  return replay(start, [...steps, ...draft.done.filter(isOther)])
}

/** Whether nothing but operation scopes differs: what may be saved of a locked entity. */
export function onlyScopesChanged({ base, content }: EntityDraft): boolean {
  return entityEditsBetween(base, content).every(({ kind }) => kind === 'changeScopes')
}

/** What was said of those who refer to attributes that the draft takes away or inherits no more, by the attributes' uids. */
export function saidOfReferences({ done, content }: EntityDraft): Record<string, OnReferences> {
  const there = new Set([...content.typeAttributes, ...content.entityAttributes].map(({ uid }) => uid))
  const said = done.flatMap(({ edits }) =>
    edits.flatMap(edit => {
      if (edit.kind === 'changeEntity') return Object.entries(edit.onReferences ?? {})
      if (edit.kind !== 'removeAttributes' || !edit.onReferences) return []
      const { onReferences } = edit
      return edit.uids.filter(uid => !there.has(uid)).map((uid): [string, OnReferences] => [uid, onReferences])
    }),
  )
  return Object.fromEntries(said)
}

/** The path with the draft's name in it. */
export function draftPath({ saved, content }: EntityDraft): string {
  return renamedPath(saved.path, content.name)
}

/** The name of the identifying attribute as edited: renaming it renames the entity's primary key. An heir without one has its parent's. */
export function draftPrimaryKey({ content, saved }: EntityDraft): string | null {
  const own = primaryKeyOf(content)
  if (own !== null || content.extendsEntity === null || content.extendsEntity.id !== saved.extendsEntity?.id) return own
  const inherited = saved.resolvedAttributes?.find(({ isPrimaryKey: isKey, origin }) => isKey && origin === 'inherited')
  return inherited?.name ?? null
}

/** Rows as the table shows them: the key first, the others by position. */
export function attributeRows({ content }: EntityDraft): TypeAttribute[] {
  return content.typeAttributes.toSorted(
    (a, b) => Number(isPrimaryKey(b)) - Number(isPrimaryKey(a)) || a.position - b.position,
  )
}

/**
 * After the entity changed on the server: its new state below, one's own steps on top, merged as a stale save is. Where both
 * changed the same field the base stays what it is: the save will tell, with both values.
 */
export function rebased(draft: EntityDraft, saved: EntityAnswer, etag: string): EntityDraft {
  const theirs = contentOf(saved)
  if (draft.changes === 0) return { ...openDraft(saved, etag), undone: draft.undone }
  const { merged } = mergeEntity(draft.base, draft.content, theirs)
  if (!merged) return { ...draft, saved }
  const replayed = replay({ ...openDraft(saved, etag), undone: draft.undone }, draft.done)
  // Other numbers for the same order are no difference.
  if (compareEntities(replayed.content, merged).length === 0) return replayed
  const edits = entityEditsBetween(replayed.content, merged)
  return made(replayed, { name: 'Merged with what others saved', edits })
}

/** One's own edits on top of the server's state, also where both changed the same: what they deleted and I edited comes back. */
export function keptMine(draft: EntityDraft, saved: EntityAnswer, etag: string): EntityDraft {
  const replayed = replay({ ...openDraft(saved, etag), undone: draft.undone }, draft.done)
  const back = entityEditsBetween(replayed.content, withMine(replayed.content, draft))
  return back.length === 0 ? replayed : made(replayed, { name: 'Kept what others deleted', edits: back })
}

/** The server's state where both changed the same, and the rest of one's own on top; what gave way can be made again in one step. */
export function tookTheirs(draft: EntityDraft, saved: EntityAnswer, etag: string): EntityDraft {
  const opened = openDraft(saved, etag)
  const rest = mergeTakingTheirs(draft.base, draft.content, opened.base)
  const isAll = compareEntities(opened.base, rest).length === 0
  const edits = isAll ? [] : entityEditsBetween(opened.base, rest)
  const taken = isAll ? opened : made(opened, { name: 'Kept what only I changed', edits })
  const again = entityEditsBetween(taken.content, keptMine(draft, saved, etag).content)
  return { ...taken, undone: again.length === 0 ? [] : [{ name: 'My side of the conflict', edits: again }] }
}

/** After `sent` was saved: what was done since then stays, on top of what the server made of it. */
export function afterSave(now: EntityDraft, sent: EntityDraft, saved: EntityAnswer, etag: string): EntityDraft {
  if (now.content === sent.content) return openDraft(saved, etag)
  const later = sent.done.every((step, index) => now.done[index] === step)
    ? now.done.slice(sent.done.length)
    : [{ name: 'Changes made while saving', edits: entityEditsBetween(sent.content, now.content) }]
  return replay({ ...openDraft(saved, etag), undone: now.undone }, later)
}

/** The steps on top of a draft, one after the other. */
export function replay(draft: EntityDraft, steps: readonly Step[]): EntityDraft {
  return steps.reduce(made, draft)
}

function made(draft: EntityDraft, { name, edits }: Step): EntityDraft {
  const back = invertEntityEdits(draft.content, edits)
  const content = applyEntityEdits(draft.content, edits)
  return counted({ ...draft, content, done: [...draft.done, { name, edits, back }] })
}

function counted(draft: EntityDraft): EntityDraft {
  return { ...draft, changes: compareEntities(draft.base, draft.content).length }
}

function allUndone({ done, undone: before }: EntityDraft): Step[] {
  return [...before, ...done.toReversed().map(stepOf)]
}

function stepOf({ name, edits }: Step): Step {
  return { name, edits }
}

function withMine(content: EntityContent, { base, content: mine }: EntityDraft): EntityContent {
  const there = new Set([...content.typeAttributes, ...content.entityAttributes].map(({ uid }) => uid))
  const before = new Map([...base.typeAttributes, ...base.entityAttributes].map(item => [item.uid, item]))
  const lost = <T extends { uid: string }>(items: readonly T[]) =>
    items.filter(item => !there.has(item.uid) && before.has(item.uid) && !isEqual(before.get(item.uid), item))
  return {
    ...content,
    typeAttributes: [...content.typeAttributes, ...lost(mine.typeAttributes)],
    entityAttributes: [...content.entityAttributes, ...lost(mine.entityAttributes)],
  }
}

function contentOf({ content }: EntityAnswer): EntityContent {
  return upgradeEntityContent(JSON.parse(content))
}
