/** The owner of a package. Organisations may share display ids, so uids identify them. */
export type PackageOwner = {
  readonly id: string
  /** The uid of the organisation; null in packages of earlier releases. */
  readonly owner: string | null
  /** Whether the owner also owns packages and tables of the same id that state no owner. */
  readonly adopts: boolean
}

/** Whether an existing package has the owner of an incoming one. */
export function isSameOwner(existing: Pick<PackageOwner, 'id' | 'owner'>, incoming: PackageOwner): boolean {
  if (existing.owner !== null) return existing.owner === incoming.owner
  return existing.id === incoming.id && (incoming.owner === null || incoming.adopts)
}
