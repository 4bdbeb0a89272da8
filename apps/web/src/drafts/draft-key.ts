/** Which draft is meant: the entity's latest version, or an old one that is viewed. */
export type DraftKey = `${number}` | `${number}@${string}`

/** `version`: an old one; absent, the latest. */
export function draftKey(id: number, version: string | undefined): DraftKey {
  return version === undefined ? `${id}` : `${id}@${version}`
}

/** The entity and the old version that a key names; null where it is none. */
export function readDraftKey(key: string): { id: number; version: string | undefined } | null {
  const [id = '', ...version] = key.split('@')
  if (!/^[1-9]\d{0,15}$/.test(id)) return null
  return { id: Number(id), version: version.length > 0 ? version.join('@') : undefined }
}
