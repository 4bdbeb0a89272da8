import type { EntityNode } from '../entity.ts'
import { messages } from '../messages.ts'
import { manifestStep, type Problem } from '../problem.ts'
import { error, type Subject, warning } from './subject.ts'
import { texts } from '../messages/validation.ts'

/** A manifest needs an entity, its own or one of a sub-manifest. */
export function noEntity({ resolvedModel }: Subject): Problem[] {
  if (resolvedModel.entities.length > 0) return []
  return [error('noEntity', texts.noEntity(resolvedModel.root.name), [manifestStep(resolvedModel.root)])]
}

/** No manifest contains itself. */
export function subManifestCycle(subject: Subject): Problem[] {
  const { cycle, manifests } = subject.resolvedModel
  const [first] = cycle
  if (first === undefined) return []
  const names = cycle.map(id => manifests.find(manifest => manifest.id === id)?.name ?? String(id))
  return [error('subManifestCycle', texts.subManifestCycle(names), subject.manifestPath({ id: first }))]
}

/** No entity extends itself directly or indirectly. One problem per cycle. */
export function extendsCycle(subject: Subject): Problem[] {
  const done = new Set<number>()
  const problems: Problem[] = []
  for (const start of subject.declaring) {
    if (!start.extendsEntity) continue
    const passed = new Set<number>()
    let entity: EntityNode | undefined = start
    while (entity && !done.has(entity.id) && !passed.has(entity.id)) {
      passed.add(entity.id)
      entity = entity.extendsEntity ? subject.lookup(entity.extendsEntity.id) : undefined
    }
    if (entity && passed.has(entity.id)) problems.push(cycleAt(entity, subject))
    for (const id of passed) done.add(id)
  }
  return problems
}

function cycleAt(entity: EntityNode, subject: Subject): Problem {
  const parent = entity.extendsEntity?.name ?? ''
  return error('extendsCycle', messages.extendsCycle(parent, entity.name), subject.pathOf(entity))
}

/** The parent exists. Without it the entity still becomes a table of its own attributes. */
export function parentGone(entity: EntityNode, subject: Subject): Problem[] {
  const parent = entity.extendsEntity
  if (!parent || subject.lookup(parent.id)) return []
  return [warning('parentGone', texts.parentGone(entity.name, parent.path || parent.name), subject.pathOf(entity))]
}

/** Entities of the same name share a table. Allowed only if one extends the other. */
export function nameConflicts(subject: Subject): Problem[] {
  return subject.nameConflicts.unrelated.map(([first, second]) =>
    error('namesakes', texts.nameConflicts(second.name, first.path, second.path), subject.pathOf(second)),
  )
}
