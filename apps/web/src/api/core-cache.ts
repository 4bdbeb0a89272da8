import { coreSchemaAnswer, type CoreSchema } from '@cadmus/model/contract/navigator'
import { inStore } from './indexed-db.ts'

/** The predefined tree as it was kept; null where nothing is, or IndexedDB is not to be had. */
export async function readCoreSchema(): Promise<CoreSchema | null> {
  try {
    const kept = await inStore<unknown>('coreSchema', 'readonly', objects => objects.get('nodes'))
    const parsed = coreSchemaAnswer.safeParse(kept)
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

export async function keepCoreSchema(schema: CoreSchema): Promise<boolean> {
  try {
    await inStore('coreSchema', 'readwrite', objects => objects.put(schema, 'nodes'))
    return true
  } catch {
    return false
  }
}
