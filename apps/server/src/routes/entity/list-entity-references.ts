import { listEntityReferences } from '@cadmus/model/contract/references'
import type { ReferenceItem } from '@cadmus/model/contract/shared'
import { requireEntity } from '../../commands/entity/entity-state.ts'
import { referencesToAttributes, referencesToInherited } from '../../commands/entity/follow-loss.ts'
import { referencesTo } from '../../commands/entity/references-to.ts'
import { handle } from '../../http/route.ts'

export const listEntityReferencesRoute = handle(
  listEntityReferences,
  async ({ params, query }, { context, organisation }) => {
    const db = context.store.of(organisation.id)
    const entity = await requireEntity(db, organisation.id, params.id)
    const items = await itemsFor(query)

    async function itemsFor({ attributes, inherited }: typeof query): Promise<readonly ReferenceItem[]> {
      if (attributes) return referencesToAttributes(db, organisation.id, entity, new Set(attributes))
      if (inherited) return referencesToInherited(db, organisation.id, entity)
      return (await referencesTo(db, organisation.id, [entity])).items
    }
    return { references: items.slice(0, query.limit), totalElements: items.length }
  },
)
