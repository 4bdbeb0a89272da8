import { servedFields } from '@cadmus/formats/served-fields'
import type { Api, ApiEntity } from '@cadmus/model/api/api'
import type { Filter, Listing, Operation, Selection, WireValue } from '@cadmus/model/api/operation'
import { canonicalJson } from '@cadmus/model/content'

/** Equivalent operations give the same text; numbers equal their string form. */
export function comparableOperation(api: Api, operation: Operation): string {
  const { layout: _layout, ...content } = { layout: null, ...operation }
  return canonicalJson({
    ...content,
    ...('key' in operation ? { key: operation.key.map(asText) } : {}),
    ...('record' in operation
      ? { record: Object.fromEntries(Object.entries(operation.record).map(([name, value]) => [name, asText(value)])) }
      : {}),
    ...('filters' in operation ? { filters: comparableFilters(operation.filters) } : {}),
    ...(operation.kind === 'selectAll' ? pageOf(api, operation, 20) : {}),
    ...('select' in operation && operation.select
      ? { select: wholeSelection(api, entityOf(api, operation), operation.select) }
      : {}),
  })
}

/** Ignores limit and offset if the API does not support them. */
function pageOf(
  { options }: Api,
  { limit, offset }: Listing,
  defaultLimit: number | null,
): Pick<Listing, 'limit' | 'offset'> {
  return options.limitOffset ? { limit: limit ?? defaultLimit, offset } : { limit: null, offset: 0 }
}

function comparableFilters(filters: readonly Filter[]): string[] {
  return filters
    .map(({ value, ...one }) =>
      canonicalJson({ ...one, value: Array.isArray(value) ? value.map(asText) : asText(value) }),
    )
    .toSorted()
}

function asText(value: WireValue): WireValue {
  return typeof value === 'number' ? String(value) : value
}

function wholeSelection(api: Api, entity: ApiEntity, { fields, relations }: Selection): unknown {
  return {
    fields: fields ?? servedFields(api, entity).map(({ name }) => name),
    relations: relations.map(({ name, select, listing }) => {
      const relation = entity.relations.find(one => one.name === name)
      const other = api.entities.find(one => one.name === relation?.entity)
      const whole = listing ?? { filters: [], search: '', sort: [], limit: null, offset: 0 }
      const filters = comparableFilters(whole.filters)
      return {
        name,
        select: other && wholeSelection(api, other, select),
        listing: relation?.kind === 'toMany' ? { ...whole, ...pageOf(api, whole, null), filters } : null,
      }
    }),
  }
}

/** The entity that an operation is about. */
export function entityOf(api: Api, { entity }: Operation): ApiEntity {
  const match = api.entities.find(({ name }) => name === entity)
  if (!match) throw new Error(`The API has no entity ${entity}.`)
  return match
}
