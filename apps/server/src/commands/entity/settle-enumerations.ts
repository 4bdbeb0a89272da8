import type { EntityContent } from '@cadmus/model/entity'
import { settledAttributes } from '@cadmus/model/enumeration'
import { isEqual } from '@cadmus/model/equal'
import type { Db } from '../../store/database.ts'
import { manifestById, manifestContent } from '../../store/manifest.ts'

/** The content with the values of the enumerations that were chosen in it, which are those of the entity's manifest. */
export async function withSettledEnumerations(
  db: Db,
  organisationId: number,
  { manifestId, before }: { manifestId: number; before: EntityContent | null },
  next: EntityContent,
): Promise<EntityContent> {
  const old = before?.typeAttributes ?? []
  if (next.typeAttributes.every(({ enumeration }) => enumeration === null) || isEqual(old, next.typeAttributes))
    return next
  const manifest = manifestId > 0 ? await manifestById(db, organisationId, manifestId) : undefined
  const enumerations = manifest ? (await manifestContent(db, manifest)).enumerations : []
  return { ...next, typeAttributes: settledAttributes(next.typeAttributes, old, enumerations) }
}
