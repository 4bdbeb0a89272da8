import type { Delivery } from '@cadmus/formats/package/delivery'
import { packageId } from '@cadmus/formats/package/package-xml'
import { namespaceOf } from '@cadmus/model/api/api'
import type { Store } from '../../store/store.ts'
import { packagesCreatedBefore } from '../../store/audit-read.ts'
import { listOrganisations, organisationById, type OrganisationRow } from '../../store/organisation.ts'

/** Owner of an organisation's packages on shared instances. */
export type PackageOwner = {
  readonly uid: string
  /** Whether the console has only one organisation. */
  readonly isAlone: boolean
  /** Whether an instance's package of that name without a recorded owner belongs to this organisation. */
  ownsUnstated(id: string, name: string): boolean
  delivery(name: string): Pick<Delivery, 'owner' | 'adopts'>
}

/**
 * Packages of earlier releases record their owner only in the id, in which codes such as `Q-1` and `Q_1` are equal.
 * They belong to this organisation unless another organisation with an equal code built a package of that name at the
 * time: then the owner is unknown.
 */
export async function packageOwner(store: Store, organisationId: number): Promise<PackageOwner> {
  const own = await organisationById(store.shared, organisationId)
  if (own === undefined) throw new Error('The organisation is missing.')
  const others = (await listOrganisations(store.shared)).filter(({ id }) => id !== own.id)
  const sharingId = others.filter(({ code }) => packageId(code, '') === packageId(own.code, ''))
  const publishedByOthers = new Set((await Promise.all(sharingId.map(other => namespacesBefore(store, other)))).flat())
  const isOwn = (name: string) => !publishedByOthers.has(namespaceOf(name).toLowerCase())
  return {
    uid: own.uid,
    isAlone: others.length === 0,
    ownsUnstated: (id, name) => id === packageId(own.code, namespaceOf(name)) && isOwn(name),
    delivery: name => ({ owner: own.uid, adopts: isOwn(name) }),
  }
}

/** Packages that an organisation built before organisations had uids, including deleted ones that may still run on an instance. */
async function namespacesBefore(store: Store, { id, uid_since: since }: OrganisationRow): Promise<string[]> {
  const descriptions = await packagesCreatedBefore(store.of(id), id, since)
  // Relies on the wording of `packageAuditTexts.began`, which must not change; names contain no spaces.
  return descriptions.map(text => namespaceOf(/ package (\S+) /.exec(text)?.[1] ?? '').toLowerCase())
}
