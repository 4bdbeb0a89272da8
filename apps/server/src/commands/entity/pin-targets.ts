import type { EntityContent } from '@cadmus/model/entity'
import { openTargets, pinnedTargets } from '@cadmus/model/pinned-targets'
import { ancestry } from '../../store/ancestry.ts'
import type { Db } from '../../store/database.ts'
import { columnsByNames, columnsOf } from '../../store/entity-column.ts'
import type { NewEntity } from '../../store/entity.ts'
import { storable } from '../../store/storable.ts'

/**
 * Adds uids to target attributes that have only a name, if the target or its nearest ancestor has such an attribute.
 * References must be current. `self`: id of the entity itself, whose columns are those of the content.
 */
export async function withPinnedTargets(
  db: Db,
  organisationId: number,
  content: EntityContent,
  self: number,
): Promise<EntityContent> {
  const made = new Map([[self, content]])
  const [resolveNames] = await pinnedTogether(db, organisationId, [content], new MadeColumns(made))
  return resolveNames ?? content
}

/**
 * Adds uids as `withPinnedTargets` does for entities created together. `made`: all of these, if `entities` is a part.
 */
export async function withPinnedEntities(
  db: Db,
  organisationId: number,
  entities: readonly NewEntity[],
  made = new MadeColumns(new Map(entities.map(({ id, content }) => [id, content]))),
): Promise<NewEntity[]> {
  const contents = entities.map(({ content }) => content)
  const resolveNames = await pinnedTogether(db, organisationId, contents, made)
  return entities.map((entity, index) => ({ ...entity, content: resolveNames[index] ?? entity.content }))
}

/** Columns of contents about to be stored; built on demand. */
export class MadeColumns {
  readonly contents: ReadonlyMap<number, EntityContent>
  readonly #uids = new Map<number, ReadonlyMap<string, string>>()

  constructor(contents: ReadonlyMap<number, EntityContent>) {
    this.contents = contents
  }

  uidsOf(id: number): ReadonlyMap<string, string> | undefined {
    const [cached, content] = [this.#uids.get(id), this.contents.get(id)]
    if (cached || !content) return cached
    const uids = new Map(columnsOf(content).map(({ name, uid }) => [name, uid]))
    this.#uids.set(id, uids)
    return uids
  }
}

async function pinnedTogether(
  db: Db,
  organisationId: number,
  contents: readonly EntityContent[],
  made: MadeColumns,
): Promise<EntityContent[]> {
  const open = contents.flatMap(openTargets)
  if (open.length === 0) return [...contents]
  const targets = [...new Set(open.map(({ entity }) => entity.id))]
  const parents = await ancestry(db, organisationId, targets, made.contents)
  const stored = [...parents.keys()].filter(id => !made.contents.has(id))
  const names = open.map(({ column }) => storable(column.name))
  const named = await columnsByNames(db, organisationId, stored, names)
  const uids = new Map(
    [...Map.groupBy(named, ({ entityId }) => entityId)].map(([id, columns]) => [
      id,
      new Map(columns.map(({ name, uid }) => [name, uid])),
    ]),
  )
  const source = (id: number) => {
    const parent = parents.get(id)
    return parent === undefined ? undefined : { uids: made.uidsOf(id) ?? uids.get(id) ?? new Map(), parent }
  }
  return contents.map(content => pinnedTargets(content, source))
}
