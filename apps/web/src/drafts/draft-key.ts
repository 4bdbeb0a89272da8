/** Identifies a draft: of the latest version, or of an old version that is viewed. */
export type DraftKey = `${number}` | `${number}@${string}`

/** `version`: an old version; undefined for the latest. */
export function draftKey(id: number, version: string | undefined): DraftKey {
  return version === undefined ? `${id}` : `${id}@${version}`
}

/** Entity id and old version of a key; null for an invalid key. */
export function readDraftKey(key: string): { id: number; version: string | undefined } | null {
  const [id = '', ...version] = key.split('@')
  if (!/^[1-9]\d{0,15}$/.test(id)) return null
  return { id: Number(id), version: version.length > 0 ? version.join('@') : undefined }
}
