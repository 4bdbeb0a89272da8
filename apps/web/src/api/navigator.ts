import { queryOptions, useQuery } from '@tanstack/react-query'
import type { CoreSchema } from '@cadmus/model/contract/navigator'
import { callFirst, firstCalls, isCoreSchema } from './first-calls.ts'
import { inStore } from './indexed-db.ts'
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

async function loadCoreSchema(options: CallOptions): Promise<CoreSchema> {
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

/** The cached predefined tree; null without one or without IndexedDB. */
async function readCoreSchema(): Promise<CoreSchema | null> {
  try {
    const stored = await inStore<unknown>('coreSchema', 'readonly', objects => objects.get('nodes'))
    return isCoreSchema(stored) ? stored : null
  } catch {
    return null
  }
}

async function storeCoreSchema(schema: CoreSchema): Promise<boolean> {
  try {
    await inStore('coreSchema', 'readwrite', objects => objects.put(schema, 'nodes'))
    return true
  } catch {
    return false
  }
}
