import { manifestStep } from '../places.ts'
import type { Problem } from '../problem.ts'
import { error, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** A manifest needs an entity, its own or one of a sub-manifest. */
export function noEntity({ resolvedModel }: Subject): Problem[] {
  if (resolvedModel.entities.length > 0) return []
  return [error('noEntity', texts.noEntity(resolvedModel.root.name), [manifestStep(resolvedModel.root)])]
}
