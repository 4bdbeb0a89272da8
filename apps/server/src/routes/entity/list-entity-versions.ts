import { canonicalJson } from '@cadmus/model/content'
import { listEntityVersions } from '@cadmus/model/contract/entity'
import { compareVersions } from '@cadmus/model/version'
import { notFound } from '../../http/errors.ts'
import { handle } from '../../http/route.ts'
import { frozenVersions } from '../../store/entity-version.ts'
import { entityById } from '../../store/entity.ts'

export const listEntityVersionsRoute = handle(listEntityVersions, async ({ params }, { context, organisation }) => {
  const db = context.store.of(organisation.id)
  const entity = await entityById(db, organisation.id, params.id)
  if (!entity) throw notFound('The entity')
  const latest = { version: entity.latest_version, content: entity.content }
  const all = [latest, ...(await frozenVersions(db, organisation.id, params.id))]
  const entityVersions = all
    .toSorted((a, b) => compareVersions(b.version, a.version))
    .map(({ version, content }) => ({
      VERSION: version,
      NAME: content.name,
      DESCRIPTION: content.description,
      CONTENT: canonicalJson(content),
    }))
  return { entityVersions }
})
