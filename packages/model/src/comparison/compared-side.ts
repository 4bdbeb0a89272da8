import { columnName } from '../columns.ts'
import type { EntityContent, EntityNode } from '../entity.ts'
import type { ManifestNode } from '../manifest.ts'
import { mapReferences } from '../references.ts'
import type { ResolvedModel } from '../resolved-model.ts'
import { ColumnLookup } from './column-lookup.ts'

/** The compared entities of a state by uid: members, their ancestors and targets, and the ancestors of those. */
export class ComparedSide {
  readonly model: ResolvedModel
  readonly columns: ColumnLookup
  readonly entities: ReadonlyMap<string, EntityNode>
  readonly #manifests: ReadonlyMap<number, ManifestNode>

  constructor(model: ResolvedModel) {
    this.model = model
    this.columns = new ColumnLookup(model.byId)
    this.entities = byUid(comparedEntities(model))
    this.#manifests = new Map(model.manifests.map(manifest => [manifest.id, manifest]))
  }

  /** The first manifest that lists the entity; undefined for one outside. */
  manifestOf({ id }: EntityNode): ManifestNode | undefined {
    return this.#manifests.get(this.model.owner.get(id) ?? Number.NaN)
  }

  /** The content with the names that its references have in this state; stored ones may be outdated. */
  contentOf(entity: EntityNode): EntityContent {
    const { id: _id, path: _path, ...content } = entity
    return mapReferences(content, {
      entity: reference => {
        const target = this.model.byId.get(reference.id)
        return target ? { id: target.id, uid: target.uid, name: target.name, path: target.path } : reference
      },
      column: (column, { id }) => {
        const place = column.uid === undefined ? undefined : this.columns.byUid(id, column.uid)
        return place ? { uid: column.uid, name: columnName(place.column) } : column
      },
    })
  }
}

/** Of entities with the same uid, which an own and a predefined one may have, the later ones are known by their ids as well. */
function byUid(entities: Iterable<EntityNode>): Map<string, EntityNode> {
  const all = new Map<string, EntityNode>()
  for (const entity of entities) all.set(all.has(entity.uid) ? `${entity.uid} ${entity.id}` : entity.uid, entity)
  return all
}

function comparedEntities({ entities, byId }: ResolvedModel): Set<EntityNode> {
  const all = new Set(entities)
  const addAncestors = () => {
    // The set grows while it is iterated.
    for (const { extendsEntity } of all) {
      const parent = extendsEntity && byId.get(extendsEntity.id)
      if (parent) all.add(parent)
    }
  }
  addAncestors()
  const targets = [...all].flatMap(({ entityAttributes }) =>
    entityAttributes.flatMap(({ associatedEntity, alternativeTargets }) => [
      associatedEntity.id,
      ...alternativeTargets.map(({ entity }) => entity.id),
    ]),
  )
  for (const id of targets) {
    const target = byId.get(id)
    if (target) all.add(target)
  }
  addAncestors()
  return all
}
