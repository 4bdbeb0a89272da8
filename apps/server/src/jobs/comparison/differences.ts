import { compareModels } from '@cadmus/model/comparison/compare-models'
import { ComparedSide } from '@cadmus/model/comparison/compared-side'
import { listedEntities, withCutValues } from '@cadmus/model/comparison/listed'
import type { ComparedContents, Comparison } from '@cadmus/model/contract/comparison'
import type { EntityContent } from '@cadmus/model/entity'
import { limits } from '@cadmus/model/limits'
import { mapReferences } from '@cadmus/model/references'
import { notFound } from '../../errors/api-error.ts'
import type { Sides } from './sides.ts'

export function comparisonOf({ before, after }: Sides): Comparison {
  const { entities, ...differences } = compareModels(before, after)
  return {
    ...differences,
    ...listedEntities(entities, limits.comparedChanges),
    manifest: differences.manifest.map(withCutValues),
    configuration: differences.configuration.map(withCutValues),
    before: before.shown,
    after: after.shown,
  }
}

/** Throws 404 for an entity that neither side has. */
export function contentsOf({ before, after }: Sides, uid: string): ComparedContents {
  const contents = { before: contentOf(before, uid), after: contentOf(after, uid) }
  if (!contents.before && !contents.after) throw notFound('The entity')
  return contents
}

function contentOf({ resolvedModel }: Sides['before'], uid: string): EntityContent | null {
  const side = new ComparedSide(resolvedModel)
  const entity = side.entities.get(uid)
  if (!entity) return null
  return mapReferences(side.contentOf(entity), {
    entity: reference => ({ ...reference, id: Math.max(reference.id, -1) }),
    column: column => column,
  })
}
