import { coreSchemaAnswer, type CoreSchema } from '@cadmus/model/contract/navigator'

const name = 'cadmus'
const store = 'coreSchema'

/** The predefined tree as it was kept; null where nothing is, or IndexedDB is not to be had. */
export async function readCoreSchema(): Promise<CoreSchema | null> {
  try {
    const kept = await run('readonly', objects => objects.get('nodes'))
    const parsed = coreSchemaAnswer.safeParse(kept)
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

export async function keepCoreSchema(schema: CoreSchema): Promise<boolean> {
  try {
    await run('readwrite', objects => objects.put(schema, 'nodes'))
    return true
  } catch {
    return false
  }
}

async function run(mode: IDBTransactionMode, work: (objects: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const database = await open()
  return new Promise((resolve, reject) => {
    const request = work(database.transaction(store, mode).objectStore(store))
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed.')))
  }).finally(() => database.close())
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(store))
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed.')))
  })
}
