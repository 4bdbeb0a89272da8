import { limits } from '@cadmus/model/limits'
import { foldName } from '@cadmus/model/paths'
import { useEffect } from 'react'
import { manifestEntityPage, manifestPage } from '../../api/lists.ts'

type Lookup = (search: string, signal: AbortSignal) => Promise<readonly { name: string }[]>

/** Whether a manifest already has an entity of that name. */
export function entityNames(manifestId: number): Lookup {
  return async (search, signal) => (await manifestEntityPage(manifestId, { search }, { signal })).entity
}

/** Whether the organisation already has a manifest of that name. */
export async function manifestNames(search: string, signal: AbortSignal) {
  return (await manifestPage({ search, filter: 'PRIVATE' }, { signal })).manifests
}

/**
 * Looks a name up a moment after the last key and tells whether it is taken. A lookup that fails accepts the name: the server has
 * the last word. `lookup` null: nothing to look in yet.
 */
export function useTakenName(name: string, lookup: Lookup | null, onResult: (taken: boolean) => void): void {
  useEffect(() => {
    if (!lookup || name.trim() === '') return
    const leaving = new AbortController()
    const timer = setTimeout(() => {
      lookup(name.trim(), leaving.signal).then(
        found => onResult(found.some(other => foldName(other.name) === foldName(name))),
        () => undefined,
      )
    }, limits.editorDebounce)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [name, lookup, onResult])
}
