import { currentScope, scopeIn, scopeText, type Scope } from '../api/scope.ts'

/** Identifies a draft in its scope: of the latest version, or of an old version that is viewed. */
export type DraftKey = `${number}` | `${number}@${string}` | `${string}/${number}` | `${string}/${number}@${string}`

/** `version`: an old version; undefined for the latest. */
export type DraftPlace = { id: number; version: string | undefined; scope: Scope }

export function draftKey(id: number, version: string | undefined, scope = currentScope()): DraftKey {
  const within = scopeText(scope)
  const key: DraftKey = version === undefined ? `${id}` : `${id}@${version}`
  return within === '' ? key : `${within}/${key}`
}

/** Null for an invalid key. */
export function readDraftKey(key: string): DraftPlace | null {
  const [, scope = '', id = '', version] = /^(?:(.*)\/)?([1-9]\d{0,15})(?:@(.*))?$/.exec(key) ?? []
  return id === '' ? null : { id: Number(id), version, scope: scopeIn(scope) }
}

/** The part of a key without its scope. */
export function withinScope(key: DraftKey): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

export function placeOf(key: DraftKey): DraftPlace {
  const place = readDraftKey(key)
  if (!place) throw new Error(`The draft key ${key} is invalid.`)
  return place
}
