import * as z from 'zod'

/** An organisation with the counts that the admin console shows. */
export const organisationSchema = z.object({
  id: z.number().int().nonnegative(),
  code: z.string(),
  name: z.string(),
  totalEntities: z.number().int().nonnegative(),
  totalManifests: z.number().int().nonnegative(),
  totalPackages: z.number().int().nonnegative(),
})
export type Organisation = z.infer<typeof organisationSchema>

/** A user's place in an organisation: its code, its name and the number of the subscription, 0 for none. */
export const permissionSchema = z.object({ oc: z.string(), on: z.string(), ng: z.number().int().nonnegative() })
export type Permission = z.infer<typeof permissionSchema>

export function hasSubscription({ ng }: Permission): boolean {
  return ng > 0
}

/** The picker's order: by subscription, highest first, then by name. */
export function sortedPermissions(permissions: readonly Permission[]): Permission[] {
  return permissions.toSorted((a, b) => b.ng - a.ng || a.on.localeCompare(b.on, 'en'))
}

/**
 * The organisation that a sign-in leads to: the one used last by the same user, else the only one with a subscription; undefined
 * means that the user is asked.
 */
export function chosenOrganisation(
  permissions: readonly Permission[],
  last: { organisationCode: string; isSameUser: boolean } | undefined,
): Permission | undefined {
  const open = permissions.filter(hasSubscription)
  const used = last?.isSameUser ? open.find(permission => permission.oc === last.organisationCode) : undefined
  return used ?? (open.length === 1 ? open[0] : undefined)
}
