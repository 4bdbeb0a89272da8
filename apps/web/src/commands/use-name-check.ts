import { limits } from '@cadmus/model/limits'
import { foldName } from '@cadmus/model/paths'
import { useEffect } from 'react'
import { manifestEntityPage, manifestPage } from '../api/lists.ts'
import type { CallOptions } from '../api/send.ts'

type Lookup = (search: string, options: CallOptions) => Promise<readonly { id: number; name: string }[]>

export function entityNames(manifestId: number): Lookup {
  return async (search, options) => (await manifestEntityPage(manifestId, { search }, options)).entity
}

export async function manifestNames(search: string, options: CallOptions) {
  return (await manifestPage({ search, filter: 'PRIVATE' }, options)).manifests
}

/** Whether an object other than `own` has the name. A failed look-up accepts the name: the server decides. */
export async function isNameUsed(lookup: Lookup, name: string, own?: number, options: CallOptions = {}) {
  const results = await lookup(name.trim(), options).catch(() => [])
  return results.some(other => other.id !== own && foldName(other.name) === foldName(name))
}

/** Debounced check whether a name is in use. `lookup` null disables the check. */
export function useNameCheck(name: string, lookup: Lookup | null, onResult: (taken: boolean) => void): void {
  useEffect(() => {
    if (!lookup || name.trim() === '') return
    const leaving = new AbortController()
    const { signal } = leaving
    const timer = setTimeout(() => {
      void isNameUsed(lookup, name, undefined, { signal }).then(taken => {
        if (!signal.aborted) onResult(taken)
      })
    }, limits.editorDebounce)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [name, lookup, onResult])
}
