import type { CoreSchema } from '@cadmus/model/contract/navigator'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { keepCoreSchema, readCoreSchema } from './core-cache.ts'
import { callFirst, firstCalls } from './first-calls.ts'
import { keys } from './query-client.ts'
import type { CallOptions } from './send.ts'
import { storage } from './storage.ts'

/** The predefined tree: kept locally with its build version, fetched only when the server's differs. */
const coreSchemaQuery = (options: CallOptions) =>
  queryOptions({
    queryKey: keys.coreSchema,
    queryFn: ({ signal }) => loadCoreSchema({ ...options, signal }),
    staleTime: Infinity,
  })

/** `elsewhere`: the organisation that is asked for it; the same comes from each. */
export function useCoreSchema(elsewhere?: string) {
  const enabled = elsewhere !== ''
  return useQuery({ ...coreSchemaQuery(elsewhere === undefined ? {} : { organisation: elsewhere }), enabled })
}

export async function loadCoreSchema(options: CallOptions): Promise<CoreSchema> {
  const [{ buildVersion }, kept] = await Promise.all([
    callFirst(firstCalls.getNavigatorVersion, {}, options),
    readCoreSchema(),
  ])
  // Both must agree: the version is in local storage, the schema, which does not fit there, in IndexedDB.
  if (kept && kept.buildVersion === buildVersion && storage.read('coreSchemaVersion') === buildVersion) return kept
  const { coreSchema } = await callFirst(firstCalls.getNavigator, {}, options)
  if (await keepCoreSchema(coreSchema)) storage.write('coreSchemaVersion', coreSchema.buildVersion)
  return coreSchema
}
