import type { Delivery } from '@cadmus/formats/package/delivery'
import { packageId } from '@cadmus/formats/package/package-id'
import { namespaceOf } from '@cadmus/model/api/namespace'
import type { Store } from '../../store/database.ts'
import { packagesCreatedBefore } from '../../store/audit-of-packages.ts'
import { listOrganisations, organisationById, type OrganisationRow } from '../../store/organisation.ts'

/** Whose packages an organisation's are, on instances that others use too. */
export type PackageOwner = {
  readonly uid: string
  /** Whether the console has no other organisation. */
  readonly isAlone: boolean
  /** Whether a package that an instance has under the name, and that states no owner, is this organisation's. */
  ownsUnstated(id: string, name: string): boolean
  delivery(name: string): Pick<Delivery, 'owner' | 'adopts'>
}

/**
 * Packages of earlier releases state no owner but in their id, in which codes such as `Q-1` and `Q_1` are one. They are the
 * organisation's unless another one with such a code built a package of the name then: whose it is cannot be known.
 */
export async function packageOwner(store: Store, organisationId: number): Promise<PackageOwner> {
  const own = await organisationById(store.shared, organisationId)
  if (own === undefined) throw new Error('The organisation is missing.')
  const others = (await listOrganisations(store.shared)).filter(({ id }) => id !== own.id)
  const namesakes = others.filter(({ code }) => packageId(code, '') === packageId(own.code, ''))
  const taken = new Set((await Promise.all(namesakes.map(other => namespacesBefore(store, other)))).flat())
  const isOwn = (name: string) => !taken.has(namespaceOf(name).toLowerCase())
  return {
    uid: own.uid,
    isAlone: others.length === 0,
    ownsUnstated: (id, name) => id === packageId(own.code, namespaceOf(name)) && isOwn(name),
    delivery: name => ({ owner: own.uid, adopts: isOwn(name) }),
  }
}

/** Of the packages that an organisation built before organisations had uids: one that it deleted here since may still run on an instance. */
async function namespacesBefore(store: Store, { id, uid_since: since }: OrganisationRow): Promise<string[]> {
  const descriptions = await packagesCreatedBefore(store.of(id), id, since)
  // As `messages.packages.audit.began` has always had it: names hold no blanks.
  return descriptions.map(text => namespaceOf(/ package (\S+) /.exec(text)?.[1] ?? '').toLowerCase())
}
