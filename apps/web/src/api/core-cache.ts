import type { CoreSchema } from '@cadmus/model/contract/navigator'
import { isCoreSchema } from './first-calls.ts'
import { inStore } from './indexed-db.ts'

/** The cached predefined tree; null without one or without IndexedDB. */
export async function readCoreSchema(): Promise<CoreSchema | null> {
  try {
    const stored = await inStore<unknown>('coreSchema', 'readonly', objects => objects.get('nodes'))
    return isCoreSchema(stored) ? stored : null
  } catch {
    return null
  }
}

export async function storeCoreSchema(schema: CoreSchema): Promise<boolean> {
  try {
    await inStore('coreSchema', 'readwrite', objects => objects.put(schema, 'nodes'))
    return true
  } catch {
    return false
  }
}
