/** Whose a package is. Ids are what people see, and several organisations may have the same; uids tell them apart. */
export type PackageOwner = {
  readonly id: string
  /** The uid of the organisation; null in packages of earlier releases. */
  readonly owner: string | null
  /** Whether packages and tables of the same id without an owner are this one's. */
  readonly adopts: boolean
}

/** Whether a package belongs to the owner of an incoming one. */
export function isSameOwner(existing: Pick<PackageOwner, 'id' | 'owner'>, incoming: PackageOwner): boolean {
  if (existing.owner !== null) return existing.owner === incoming.owner
  return existing.id === incoming.id && (incoming.owner === null || incoming.adopts)
}
