import type { CoreSchema } from '@cadmus/model/contract/navigator'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { keepCoreSchema, readCoreSchema } from './core-cache.ts'
import { callFirst, firstCalls } from './first-calls.ts'
import { keys } from './query-client.ts'
import { storage } from './storage.ts'

/** The predefined tree: kept locally with its build version, fetched only when the server's differs. */
const coreSchemaQuery = queryOptions({
  queryKey: keys.coreSchema,
  queryFn: ({ signal }) => loadCoreSchema(signal),
  staleTime: Infinity,
})

export function useCoreSchema() {
  return useQuery(coreSchemaQuery)
}

export async function loadCoreSchema(signal: AbortSignal): Promise<CoreSchema> {
  const [{ buildVersion }, kept] = await Promise.all([
    callFirst(firstCalls.getNavigatorVersion, {}, { signal }),
    readCoreSchema(),
  ])
  // Both must agree: the version is in local storage, the schema, which does not fit there, in IndexedDB.
  if (kept && kept.buildVersion === buildVersion && storage.read('coreSchemaVersion') === buildVersion) return kept
  const { coreSchema } = await callFirst(firstCalls.getNavigator, {}, { signal })
  if (await keepCoreSchema(coreSchema)) storage.write('coreSchemaVersion', coreSchema.buildVersion)
  return coreSchema
}
