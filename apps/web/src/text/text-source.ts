import type { EntityContent } from '@cadmus/model/entity'
import { mayEditAttributes } from '@cadmus/model/locks'
import type { OtherEntity, TextEntity, TextModel } from '@cadmus/model/text/marked-text'
import type { LoadedEntity } from '../api/entities.ts'
import { draftKey } from '../drafts/draft-key.ts'
import { draftPrimaryKey } from '../drafts/entity-draft.ts'
import { entityStore } from '../drafts/entity-store.ts'
import type { Seen } from '../drafts/open-draft.ts'
import type { StoredEntity } from './stored-entity.ts'
import type { Snapshot } from './text-session.ts'

/** By id, the stored states that the shown entities are based on. */
export type SeenEntities = ReadonlyMap<number, Seen<EntityContent>>

/** What the server has of a text. `isOld`: a version that has no drafts. */
export type LoadedText = Pick<TextModel, 'project' | 'enumerations'> & {
  entities: readonly StoredEntity[]
  others: readonly OtherEntity[]
  isOld: boolean
}

/** The model of a text: what the server has, with the drafts of the page on top. */
export class TextSource {
  #loaded: LoadedText | null = null
  #byId: ReadonlyMap<number, StoredEntity> = new Map()
  #last: { snapshot: Snapshot<SeenEntities>; entries: readonly Entry[] } | null = null

  set(loaded: LoadedText): void {
    this.#loaded = loaded
    this.#byId = new Map(loaded.entities.map(entity => [entity.id, entity]))
    this.#last = null
    if (loaded.isOld) return
    for (const stored of loaded.entities) {
      const open = entityStore.get(draftKey(stored.id, undefined))
      if (open && open.draft.etag !== stored.etag) entityStore.receive(stored.loaded().entity, stored.etag, undefined)
    }
  }

  loaded(id: number): LoadedEntity | undefined {
    return this.#byId.get(id)?.loaded()
  }

  /** The same object as long as nothing has changed. */
  snapshot(): Snapshot<SeenEntities> | null {
    if (!this.#loaded) return null
    const { project, enumerations = [], entities, others, isOld } = this.#loaded
    const entries = entities.flatMap(entity => entryOf(entity, isOld) ?? [])
    if (this.#last && isSame(this.#last.entries, entries)) return this.#last.snapshot
    const ids = new Set(entries.map(({ item }) => item.id))
    const targets = withTargets(others, entries, ids)
    const model = { project, enumerations, entities: entries.map(({ item }) => item), others: targets }
    const snapshot = { model, seen: new Map(entries.map(({ item, seen }) => [item.id, seen])) }
    this.#last = { snapshot, entries }
    return snapshot
  }
}

type Entry = { item: TextEntity; seen: Seen<EntityContent> }

function entryOf(stored: StoredEntity, isOld: boolean): Entry | null {
  const key = draftKey(stored.id, undefined)
  const open = isOld ? undefined : entityStore.get(key)
  if (open?.state === 'deleted') return null
  if (!open) {
    const { id, path, content, primaryKey } = stored
    const isEditable = !isOld && stored.isEditable
    return { item: { id, path, content, isEditable, primaryKey }, seen: { content, saves: 0 } }
  }
  const { saved, content, base } = open.draft
  const isEditable = mayEditAttributes(saved).allowed
  return {
    item: { id: saved.id, path: saved.path, content, isEditable, primaryKey: draftPrimaryKey(open.draft) },
    seen: entityStore.seen(key) ?? { content: base, saves: 0 },
  }
}

function isSame(one: readonly Entry[], other: readonly Entry[]): boolean {
  const isSameEntry = ({ item, seen }: Entry, index: number) => {
    const entry = other[index]
    const isSeen = entry?.seen.content === seen.content && entry.seen.saves === seen.saves
    return isSeen && entry.item.content === item.content && entry.item.isEditable === item.isEditable
  }
  return one.length === other.length && one.every(isSameEntry)
}

/** With the targets of relationships that lie outside. */
function withTargets(
  others: readonly OtherEntity[],
  entries: readonly Entry[],
  ids: ReadonlySet<number>,
): readonly OtherEntity[] {
  const known = new Map(others.filter(({ id }) => !ids.has(id)).map(other => [`${other.id} ${other.uid}`, other]))
  const taken = new Set([...ids, ...others.map(({ id }) => id)])
  for (const { item } of entries)
    for (const { associatedEntity: target, associatedEntityTypeAttribute: primaryKey } of item.content
      .entityAttributes) {
      const { id, uid = '', name, path } = target
      if (!taken.has(id)) known.set(`${id} ${uid}`, { id, uid, name, path, primaryKey })
    }
  return [...known.values()]
}
