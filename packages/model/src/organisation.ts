/** Membership of an organisation: its code, its name and the subscription number, 0 for none. */
export type Permission = { oc: string; on: string; ng: number }

export function hasSubscription({ ng }: Permission): boolean {
  return ng > 0
}

/** Order of the picker: by subscription, highest first, then by name. */
export function sortPermissions(permissions: readonly Permission[]): Permission[] {
  return permissions.toSorted((a, b) => b.ng - a.ng || a.on.localeCompare(b.on, 'en'))
}

/** Organisation after sign-in: the last used one if it has a subscription, else the only one with a subscription; null: show the picker. */
export function chooseOrganisation(permissions: readonly Permission[], lastCode: string | null): Permission | null {
  const open = permissions.filter(hasSubscription)
  const last = open.find(permission => permission.oc === lastCode)
  return last ?? (open.length === 1 ? (open[0] ?? null) : null)
}
