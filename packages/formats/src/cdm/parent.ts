import { quoted } from '../import-error.ts'
import type { CdmFolder } from './folder.ts'
import type { ResolvedAttribute, ResolvedEntity } from './resolved.ts'
import { corpusPathOf, type FoundEntity } from './scope.ts'

/**
 * The nearest ancestor that is imported itself. None where the entity leaves out something that it would inherit from there: the
 * model knows no leaving out, so such an entity holds all its attributes itself.
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
  folder.report.warning(
    corpusPathOf(entity).slice(1),
    `${what}; it was imported with all its attributes and extends nothing.`,
  )
  return undefined
}

export function isImported(entity: FoundEntity, folder: CdmFolder): boolean {
  return folder.entities.get(corpusPathOf(entity))?.is === entity.is
}

/**
 * Whether an inherited reference means the same as in the parent. Seen from another folder a name may mean a namesake that is
 * derived from the parent's target; that is the same relationship, and it takes no attribute of its own.
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
