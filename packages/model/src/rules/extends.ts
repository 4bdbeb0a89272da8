import type { EntityNode } from '../entity.ts'
import { closesExtendsCycle, type EntityLookup } from '../inherit.ts'
import { messages } from '../messages.ts'

/** Whether the entity may extend `parent`: refused if the parent is the entity or extends it directly or indirectly. */
export function extendsEntity(
  parent: EntityNode,
  { child, lookup }: { child: Pick<EntityNode, 'id' | 'name'>; lookup: EntityLookup },
): string | undefined {
  return closesExtendsCycle(child, parent, lookup) ? messages.extendsCycle(parent.name, child.name) : undefined
}
