import type { EntityNode } from '../entity.ts'
import { messages } from '../messages.ts'
import type { Problem } from '../problem.ts'
import { error, type Subject } from './subject.ts'

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
