const name = 'cadmus'
const stores = ['coreSchema', 'drafts'] as const
type Store = (typeof stores)[number]

/** Runs a request on a store of the browser's database. Rejects if IndexedDB is unavailable or full. */
export async function inStore<T>(
  store: Store,
  mode: IDBTransactionMode,
  work: (objects: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open()
  return new Promise<T>((resolve, reject) => {
    const transaction = database.transaction(store, mode)
    const request = work(transaction.objectStore(store))
    // Resolves when the transaction is committed, not when the request succeeds.
    transaction.addEventListener('complete', () => resolve(request.result))
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('IndexedDB failed.')))
  }).finally(() => database.close())
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 2)
    request.addEventListener('upgradeneeded', () => {
      const { objectStoreNames } = request.result
      for (const store of stores) if (!objectStoreNames.contains(store)) request.result.createObjectStore(store)
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed.')))
  })
}
