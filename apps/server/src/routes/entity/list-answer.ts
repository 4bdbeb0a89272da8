import type { EntityListItem } from '@cadmus/model/contract/lists'
import type { RequestContext } from '../../http/route.ts'
import { type EntityListQuery, listEntities } from '../../store/entity-list.ts'
import { entityListItem } from './entity-list-item.ts'

export type EntityListAnswer = {
  entity: EntityListItem[]
  totalElements: number
  size: number
  page: number
  result: 'OK'
  message: string
  next: string | null
}

/** A part of a list of entities, in the documented shape. */
export async function entityListAnswer(
  { context, organisation }: Pick<RequestContext, 'context' | 'organisation'>,
  query: EntityListQuery,
): Promise<EntityListAnswer> {
  const { store } = context
  const { rows, total, next } = await listEntities(store.of(organisation.id), organisation.id, query, store.names)
  return {
    entity: rows.map(entityListItem),
    totalElements: total,
    size: query.limit,
    page: query.page,
    result: 'OK',
    message: '',
    next,
  }
}
