import { canonicalJson } from '@cadmus/model/content'
import { listEntityVersions } from '@cadmus/model/contract/entity-version'
import type { EntityContent } from '@cadmus/model/entity'
import { limits } from '@cadmus/model/limits'
import { compareVersions } from '@cadmus/model/version'
import { notFound } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'
import { inBatches } from '../../store/batches.ts'
import { frozenVersionNumbers, frozenVersions } from '../../store/entity-version.ts'
import { entityById } from '../../store/entity.ts'

export const listEntityVersionsRoute = handle(listEntityVersions, async ({ params }, { context, organisation }) => {
  const db = context.store.of(organisation.id)
  const entity = await entityById(db, organisation.id, params.id)
  if (!entity) throw notFound('The entity')
  const entityVersions = [listed(entity.latest_version, entity.content, 0)]
  let length = entityVersions[0]?.CONTENT.length ?? 0
  const numbers = (await frozenVersionNumbers(db, organisation.id, params.id)).toSorted((a, b) => compareVersions(b, a))
  // Never all contents at once: they may be many and large.
  for (const part of inBatches(numbers, 5)) {
    const versions = await frozenVersions(db, organisation.id, params.id, part)
    for (const { version, content } of versions.toSorted((a, b) => compareVersions(b.version, a.version))) {
      const item = listed(version, content, length)
      length += item.CONTENT.length
      entityVersions.push(item)
    }
  }
  return { entityVersions }
})

/** Without its content where the answer has grown too large: that is asked for by its version. */
function listed(version: string, content: EntityContent, before: number) {
  const text = before > limits.listedContents ? '' : canonicalJson(content)
  return { VERSION: version, NAME: content.name, DESCRIPTION: content.description, CONTENT: text }
}
