import type { CoreSchema } from '@cadmus/model/contract/navigator'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { storeCoreSchema, readCoreSchema } from './core-cache.ts'
import { callFirst, firstCalls } from './first-calls.ts'
import { keys } from './query-client.ts'
import { currentScope, type Scope } from './scope.ts'
import type { CallOptions } from './send.ts'
import { storage } from './storage.ts'

/** The predefined tree: cached locally with its build version and fetched only if the server's version differs. */
const coreSchemaQuery = (scope: Scope) =>
  queryOptions({
    queryKey: keys.coreSchema,
    queryFn: ({ signal }) => loadCoreSchema({ scope, signal }),
    staleTime: Infinity,
  })

/** `scope`: of the request; all organisations return the same tree. */
export function useCoreSchema(scope = currentScope()) {
  return useQuery({ ...coreSchemaQuery(scope), enabled: scope.organisation !== '' })
}

export async function loadCoreSchema(options: CallOptions): Promise<CoreSchema> {
  const [{ buildVersion }, cached] = await Promise.all([
    callFirst(firstCalls.getNavigatorVersion, {}, options),
    readCoreSchema(),
  ])
  // The version is in local storage, the schema, which does not fit there, in IndexedDB; both must match.
  if (cached && cached.buildVersion === buildVersion && storage.read('coreSchemaVersion') === buildVersion)
    return cached
  const { coreSchema } = await callFirst(firstCalls.getNavigator, {}, options)
  if (await storeCoreSchema(coreSchema)) storage.write('coreSchemaVersion', coreSchema.buildVersion)
  return coreSchema
}
