import { listEntityReferences } from '@cadmus/model/contract/references'
import { requireEntity } from '../../commands/entity/entity-state.ts'
import { referencesTo } from '../../commands/entity/references-to.ts'
import { handle } from '../../http/route.ts'

export const listEntityReferencesRoute = handle(
  listEntityReferences,
  async ({ params, query }, { context, organisation }) => {
    const db = context.store.of(organisation.id)
    const entity = await requireEntity(db, organisation.id, params.id)
    const { items } = await referencesTo(db, organisation.id, [entity])
    return { references: items.slice(0, query.limit), totalElements: items.length }
  },
)
