import type { Problem } from '../problem.ts'
import { error, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** A manifest needs an entity, its own or one of a sub-manifest. */
export function noEntity({ closure }: Subject): Problem[] {
  if (closure.entities.length > 0) return []
  const { id, name } = closure.root
  return [error('noEntity', texts.noEntity(name), [{ kind: 'manifest', id, name }])]
}
