import { quoted } from '../import-error.ts'
import { bounds } from './bounds.ts'
import { rootEntity } from './standard.ts'
import type { Lookup } from './lookup.ts'
import type { Report } from './report.ts'
import { corpusPathOf, type LocatedEntity } from './scope.ts'

/**
 * The entity and its ancestors, farthest first. A parent is resolved from the entity's document or, if that leads back
 * into the chain (a moniker with another meaning), from the document that names it. Cycles and missing parents are
 * errors of the entity: the chain ends there, and the rest is still read.
 */
export function extendsChain(entity: LocatedEntity, lookup: Lookup, report: Report): LocatedEntity[] {
  const chain = [entity]
  const passed = new Set<object>([entity.is])
  let current = entity
  while (current.is.extendsEntity !== undefined) {
    if (chain.length >= bounds.extendsDepth) {
      report.error(
        placeOf(entity),
        `It has more than ${bounds.extendsDepth} levels of inheritance; the farthest entities were left out.`,
      )
      break
    }
    const name = current.is.extendsEntity
    const seen = lookup.entity(name, { view: entity.in, written: current.in })
    const parent = seen && passed.has(seen.is) ? lookup.entity(name, { view: current.in, written: current.in }) : seen
    if (!parent) {
      if (name !== rootEntity) {
        report.error(placeOf(current), `Its parent entity ${quoted(name)} was not found.`)
      }
      break
    }
    if (passed.has(parent.is)) {
      report.error(placeOf(current), `${quoted(current.is.name)} extends itself: ${quoted(corpusPathOf(parent))}.`)
      // Each entity of a cycle stands alone: the chain starts with the first entity that is reached.
      return chain.slice(chain.findIndex(ancestor => ancestor.is === parent.is))
    }
    passed.add(parent.is)
    chain.unshift(parent)
    current = parent
  }
  return chain
}

function placeOf(entity: LocatedEntity): string {
  return `${entity.in.document.path}/${entity.is.name}`
}
