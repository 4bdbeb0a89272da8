import { limits } from '@cadmus/model/limits'
import { foldName } from '@cadmus/model/paths'
import { useEffect } from 'react'
import { manifestEntityPage, manifestPage } from '../../api/lists.ts'

type Lookup = (search: string, signal: AbortSignal) => Promise<readonly { name: string }[]>

export function entityNames(manifestId: number): Lookup {
  return async (search, signal) => (await manifestEntityPage(manifestId, { search }, { signal })).entity
}

export async function manifestNames(search: string, signal: AbortSignal) {
  return (await manifestPage({ search, filter: 'PRIVATE' }, { signal })).manifests
}

/**
 * Debounced check whether a name is in use. A failed look-up accepts the name: the server decides. `lookup` null
 * disables the check.
 */
export function useNameCheck(name: string, lookup: Lookup | null, onResult: (taken: boolean) => void): void {
  useEffect(() => {
    if (!lookup || name.trim() === '') return
    const leaving = new AbortController()
    const timer = setTimeout(() => {
      lookup(name.trim(), leaving.signal).then(
        results => onResult(results.some(other => foldName(other.name) === foldName(name))),
        () => undefined,
      )
    }, limits.editorDebounce)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [name, lookup, onResult])
}
