import { quoted } from '../import-error.ts'
import type { CdmFolder } from './folder.ts'
import type { ResolvedAttribute, ResolvedEntity } from './resolved.ts'
import { corpusPathOf, type LocatedEntity } from './scope.ts'

/**
 * The nearest imported ancestor. None if the entity leaves an inherited attribute out, because the model cannot
 * express that; the entity then owns all its attributes.
 */
export function parentOf(resolved: ResolvedEntity, folder: CdmFolder): ResolvedEntity | undefined {
  const { chain, entity } = resolved
  const level = chain.findLastIndex((ancestor, index) => index < chain.length - 1 && isImported(ancestor, folder))
  const parent = chain[level]
  if (!parent) return undefined
  const leavesOut = [...folder.resolver.resolve(parent).attributes.keys()].find(name => !resolved.attributes.has(name))
  if (leavesOut === undefined) return folder.resolver.resolve(parent)
  const renamed = resolved.attributes.values().find(({ formerly }) => formerly === leavesOut)?.attribute.name
  const of = `${quoted(leavesOut)} of ${quoted(corpusPathOf(parent))}`
  const what = renamed === undefined ? `It leaves out ${of}` : `It calls ${of} ${quoted(renamed)}`
  folder.report.changed(
    corpusPathOf(entity).slice(1),
    `${what}; it was imported with all its attributes and extends nothing.`,
  )
  return undefined
}

export function isImported(entity: LocatedEntity, folder: CdmFolder): boolean {
  return folder.entities.get(corpusPathOf(entity))?.is === entity.is
}

/**
 * Whether an inherited reference has the same targets as in the parent. From another folder the name may resolve to a
 * subtype of the parent's target, which counts as the same relationship.
 */
export function sameTargets(here: ResolvedAttribute, inherited: ResolvedAttribute, folder: CdmFolder): boolean {
  const before = inherited.reference?.targets ?? []
  const now = here.reference?.targets ?? []
  if (now.length !== before.length) return false
  return now.every(({ entity, attribute }, index) => {
    const other = before[index]
    if (!other || other.attribute !== attribute) return false
    return folder.resolver.resolve(entity).chain.some(ancestor => ancestor.is === other.entity.is)
  })
}
