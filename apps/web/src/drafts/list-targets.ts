import { columnsOf, isKey } from '@cadmus/model/columns'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { keyDataTypes } from '@cadmus/model/data-types'
import { applyEntityEdits } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { sheetTexts } from '@cadmus/model/messages/sheet'
import { foldName } from '@cadmus/model/paths'
import type { CellRefusal, ReferenceTarget } from '@cadmus/model/sheet/columns'
import { textsIn } from '@cadmus/model/sheet/paste'
import { type CellBlock, writeCells } from '@cadmus/model/sheet/write-cells'
import { entityDrafts } from './entity-draft.ts'
import { findTargets, splitTarget } from './named-targets.ts'
import { targetsOf } from './new-relationship.ts'

/** An entity of a list, in its present state, with the cells that are written into it. */
export type ListedEntity = { saved: EntityAnswer; content: EntityContent; block: CellBlock }

type Target = (text: string) => ReferenceTarget | CellRefusal

/** Finds what references name: in the entities of the list as they are with its rows, else in all entities, the manifest's first. */
export async function findListTargets(
  entities: readonly ListedEntity[],
  manifest: { id: number },
): Promise<(of: ListedEntity) => Target> {
  const byName = new Map(entities.map(entity => [foldName(entity.content.name), entity]))
  const inList = (text: string) => byName.get(foldName(splitTarget(text).entity))
  const others = entities.flatMap(({ block }) => textsIn(block, 'references')).filter(text => !inList(text))
  const find = await findTargets(others, { id: null, targetManifest: manifest })
  const own = new Map(entities.map(entity => [entity, ownTargets(entity)]))
  return of => text => {
    const listed = inList(text)
    const result = listed ? targetIn(listed, own.get(listed) ?? [], text) : find(text)
    const isItself = 'entity' in result && result.entity.id === of.saved.id
    return isItself ? { reason: messages.relatedToItself } : result
  }
}

type OwnTarget = Omit<ReferenceTarget, 'entity'> & { isPrimaryKey: boolean }

/** What foreign keys may reference in an entity with its new rows. The server knows the uids of stored attributes, also renamed ones. */
function ownTargets({ saved, content, block }: ListedEntity): OwnTarget[] {
  const columns = block.columns.map(column => (column?.id === 'references' ? undefined : column))
  const after = applyEntityEdits(content, writeCells(content, { ...block, columns }).edits)
  const stored = new Set(columnsOf(entityDrafts.adapter.contentOf(saved)).map(({ uid }) => uid))
  const own = after.typeAttributes.flatMap((attribute): OwnTarget[] => {
    const dataType = keyDataTypes.find(type => type === attribute.dataType)
    const attributeUid = stored.has(attribute.uid) ? attribute.uid : null
    return dataType ? [{ attribute: attribute.name, attributeUid, dataType, isPrimaryKey: isKey(attribute) }] : []
  })
  const names = new Set(content.typeAttributes.map(({ name }) => name))
  const others = targetsOf(saved).filter(({ name }) => !names.has(name))
  return [...own, ...others.map(({ name: attribute, ...rest }) => ({ ...rest, attribute, attributeUid: null }))]
}

function targetIn({ saved }: ListedEntity, targets: readonly OwnTarget[], text: string): ReturnType<Target> {
  const { attribute } = splitTarget(text)
  const key = targets.find(({ isPrimaryKey }) => isPrimaryKey)
  const named = targets.find(one => foldName(one.attribute) === foldName(attribute))
  const target = attribute === '' ? key : named
  const { id, name, path } = saved
  if (target) {
    const { isPrimaryKey: _, ...columns } = target
    return { entity: { id, name, path }, ...columns }
  }
  return { reason: sheetTexts.unknownTarget(text), ...(key ? { offer: `${name}.${key.attribute}` } : {}) }
}
