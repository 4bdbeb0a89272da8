import { searchAttributes } from '@cadmus/model/contract/entity'
import { handle } from '../../http/route.ts'
import { findAttributes } from '../../store/attribute-search.ts'

export const searchAttributesRoute = handle(searchAttributes, async ({ query }, { context, organisation }) => {
  const result = await findAttributes(context.store.of(organisation.id), organisation.id, query)
  const attributes = result.map(({ uid, name, entity_id: id, entity_name: entityName, path }) => ({
    uid,
    name,
    entity: { id, name: entityName, path },
  }))
  return { attributes }
})
