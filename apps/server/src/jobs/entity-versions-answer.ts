import { canonicalJson } from '@cadmus/model/content'
import type { listEntityVersions } from '@cadmus/model/contract/entity'
import type { EntityContent } from '@cadmus/model/entity'
import { limits } from '@cadmus/model/limits'
import { highestFirst } from '@cadmus/model/version'
import type * as z from 'zod'
import { notFound } from '../errors/api-error.ts'
import { inBatches } from '../store/batches.ts'
import type { Db } from '../store/database.ts'
import { frozenVersionNumbers, frozenVersions } from '../store/entity-version.ts'
import { entityById } from '../store/entity.ts'
import { yieldToEventLoop } from '../event-loop.ts'

type Versions = z.input<typeof listEntityVersions.answer>

/** All versions of an entity, highest first. */
export async function entityVersionsAnswer(db: Db, organisationId: number, id: number): Promise<Versions> {
  const entity = await entityById(db, organisationId, id)
  if (!entity) throw notFound('The entity')
  const entityVersions = [listed(entity.latest_version, entity.content, 0)]
  let length = entityVersions[0]?.CONTENT.length ?? 0
  const numbers = highestFirst(await frozenVersionNumbers(db, organisationId, id), version => version)
  // In batches, because contents may be many and large.
  for (const part of inBatches(numbers, 5)) {
    const versions = await frozenVersions(db, organisationId, id, part)
    for (const { version, content } of highestFirst(versions, item => item.version)) {
      await yieldToEventLoop()
      const item = listed(version, content, length)
      length += item.CONTENT.length
      entityVersions.push(item)
    }
  }
  return { entityVersions }
}

/** Omits the content if the answer has grown too large; callers then request it by version. */
function listed(version: string, content: EntityContent, before: number) {
  const text = before > limits.listedContents ? '' : canonicalJson(content)
  return { VERSION: version, NAME: content.name, DESCRIPTION: content.description, CONTENT: text }
}
